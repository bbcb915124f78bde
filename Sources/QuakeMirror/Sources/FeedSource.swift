import Glibc

/// The source of a feed document.
public enum FeedSource: Hashable, Sendable, Codable {
    /// A summary feed at the mirror's endpoint.
    case summary(FeedName)
    /// An http or https URL.
    case url(String)
    /// A file at a path. `/dev/stdin` is standard input, which can be read only once.
    case file(String)

    /// Standard input, which is read from its open descriptor.
    package static let standardInput = FeedSource.file("/dev/stdin")

    /// Creates a source from a feed name, a URL, a file path, or `-` for standard input. Returns nil for any other
    /// text, such as a misspelled feed name or URL.
    package init?(_ text: String) {
        if let feed = FeedName(text) {
            self = .summary(feed)
        } else if text == "-" {
            self = .standardInput
        } else if text.lowercased().hasPrefix("http://") || text.lowercased().hasPrefix("https://") {
            self = .url(text)
        } else if !text.contains("://"),
            access(text, F_OK) == 0
                || !Self.mayBeAddress(text) && (text.contains("/") || Self.hasFileExtension(text))
        {
            self = .file(text)
        } else {
            return nil
        }
    }

    /// Returns whether `name` has the extension of a document, such as `.geojson` or `.csv`.
    package static func hasFileExtension(_ name: String) -> Bool {
        let name = name.lowercased()
        return name.contains(".") && name.hasSuffix("json") || name.hasSuffix(".csv")
    }

    /// Returns whether `text`, which is not an existing file, may be a mistyped URL that contains a password or key.
    private static func mayBeAddress(_ text: String) -> Bool {
        WebAddress.shortened(text) != text || ["http:", "https:", "//"].contains { text.lowercased().hasPrefix($0) }
    }

    /// Returns the URL for the request, including user, password and keys; nil for a file. Only ``shownURL(at:)`` may
    /// be stored or shown.
    package func requestURL(at endpoint: FeedEndpoint) -> String? {
        switch self {
        case .summary(let feed): endpoint.url(for: feed)
        case .url(let url): url
        case .file: nil
        }
    }

    /// Returns the URL or path of the source, without credentials (``/QuakeModel/WebAddress``). The source is recorded
    /// under this URL or path if the document does not name a feed or URL as its source.
    package func shownURL(at endpoint: FeedEndpoint) -> String {
        switch self {
        case .summary, .url: WebAddress.redacted(requestURL(at: endpoint) ?? "")
        case .file(let path): self == .standardInput ? SourceName.standardInput : path
        }
    }

    package var isRemote: Bool { requestURL(at: FeedEndpoint()) != nil }

    package var requestedFeed: FeedName? { if case .summary(let feed) = self { feed } else { nil } }

    /// Returns the name under which the cache records the source before it has been read.
    package func feedRecordName(at endpoint: FeedEndpoint) -> String {
        let url = requestURL(at: endpoint)
        let feed = requestedFeed ?? url.flatMap { FeedName(address: $0) }
        return feed.flatMap { endpoint.url(for: $0) == url ? $0.description : nil } ?? shownURL(at: endpoint)
    }
}

extension FeedName {
    /// Parses the URL of a summary feed, using only the last part: `…/summary/all_week.geojson`.
    package init?(address: String) {
        guard let last = address.split(separator: "?").first?.split(separator: "/").last, last.hasSuffix(".geojson")
        else { return nil }
        self.init(last.dropLast(".geojson".count))
    }
}
