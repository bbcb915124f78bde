package import FoundationEssentials
import Glibc
import QuakeSystem

/// The server folder that contains the summary feeds.
public struct FeedEndpoint: Hashable, Sendable {
    /// The address of the folder, without a trailing slash.
    public let base: String

    /// Creates the endpoint at `base`, which is the USGS server by default.
    public init(base: String = "https://earthquake.usgs.gov/earthquakes/feed/v1.0/summary") {
        var trimmed = Substring(base)
        while trimmed.last == "/" { trimmed.removeLast() }
        self.base = String(trimmed)
    }

    /// Returns the address of `feed` in GeoJSON.
    package func url(for feed: FeedName) -> String { "\(base)/\(feed).geojson" }
}

/// The source of a feed document.
public enum FeedSource: Hashable, Sendable, Codable {
    /// A summary feed at the mirror's endpoint.
    case summary(FeedName)
    /// An http or https URL.
    case url(String)
    case file(String)
    case standardInput

    /// Creates a source from a feed name, an address, a file path, or `-` for standard input. Returns nil for any other
    /// text, such as a misspelled feed name or address.
    public init?(_ text: String) {
        if let feed = FeedName(text) {
            self = .summary(feed)
        } else if text == "-" {
            self = .standardInput
        } else if text.lowercased().hasPrefix("http://") || text.lowercased().hasPrefix("https://") {
            self = .url(text)
        } else if !text.contains("://"),
            access(text, F_OK) == 0
                || !Self.mayBeAddress(text)
                    && (text.contains("/") || text.contains(".") && text.lowercased().hasSuffix("json"))
        {
            self = .file(text)
        } else {
            return nil
        }
    }

    /// Whether `text`, which is not an existing file, may be a mistyped address that contains a password or key.
    private static func mayBeAddress(_ text: String) -> Bool {
        WebAddress.shortened(text) != text || ["http:", "https:", "//"].contains { text.lowercased().hasPrefix($0) }
    }

    /// Returns the address for the request, including user, password and keys; nil if nothing is downloaded. Only
    /// ``address(at:)`` may be stored and shown.
    package func requestAddress(at endpoint: FeedEndpoint) -> String? {
        switch self {
        case .summary(let feed): endpoint.url(for: feed)
        case .url(let url): url
        case .file, .standardInput: nil
        }
    }

    /// Returns the address or path of the source, without credentials (``/QuakeModel/WebAddress``). If the document
    /// contains no name, the source is recorded under this address or path.
    package func address(at endpoint: FeedEndpoint) -> String {
        switch self {
        case .summary, .url: WebAddress.redacted(requestAddress(at: endpoint) ?? "")
        case .file(let path): path
        case .standardInput: SourceName.standardInput
        }
    }

    package var isRemote: Bool { requestAddress(at: FeedEndpoint()) != nil }

    package var asked: FeedName? { if case .summary(let feed) = self { feed } else { nil } }

    /// Returns the name under which the cache records the source before it has been read.
    package func recordName(at endpoint: FeedEndpoint) -> String {
        let url = requestAddress(at: endpoint)
        let feed = asked ?? url.flatMap { FeedName(address: $0) }
        return feed.flatMap { endpoint.url(for: $0) == url ? $0.description : nil } ?? address(at: endpoint)
    }
}

extension FeedName {
    /// Parses the address of a summary feed, using only the last part: `…/summary/all_week.geojson`.
    package init?(address: String) {
        guard let last = address.split(separator: "?").first?.split(separator: "/").last, last.hasSuffix(".geojson")
        else { return nil }
        self.init(last.dropLast(".geojson".count))
    }
}

extension FeedSource {
    /// Whether the source is a file that can be read more than once, unlike a pipe. True for a missing file.
    package var isRegularFile: Bool {
        guard case .file(let path) = self else { return false }
        var status = stat()
        return stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
    }

    /// The largest file that is read, 1 GiB. A year of all quakes takes about 80 MB. Downloads are limited to 64 MiB.
    package static let mostBytes = 1 << 30

    /// Returns the contents of a file or of standard input; nil for a source that must be downloaded.
    ///
    /// - Throws: ``FeedError`` if the source cannot be read or has more than `limit` bytes.
    package func contents(limit: Int = FeedSource.mostBytes) throws(FeedError) -> Data? {
        switch self {
        case .summary, .url: return nil
        case .standardInput:
            return try Self.read(STDIN_FILENO, name: SourceName.standardInput, limit: limit)
        case .file(let path):
            let number = open(path, O_RDONLY | O_CLOEXEC)
            guard number >= 0 else { throw .unreadable(path: path, reason: SystemError().reason) }
            defer { close(number) }
            return try Self.read(number, name: path, limit: limit)
        }
    }

    private static func read(_ number: Int32, name: String, limit: Int) throws(FeedError) -> Data {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw .unreadable(path: name, reason: SystemError().reason) }
        // One extra byte detects the end of the file without a larger buffer. A file in /proc has no size.
        let isSized = status.st_mode & S_IFMT == S_IFREG && status.st_size > 0
        var body = Data(count: min(isSized ? Int(status.st_size) : 64 << 10, limit) + 1)
        var count = 0
        while true {
            if count == body.count { body.count = min(2 * count, limit + 1) }
            let received = body.withUnsafeMutableBytes { bytes in
                Glibc.read(number, bytes.baseAddress?.advanced(by: count), bytes.count - count)
            }
            if received < 0, errno == EINTR { continue }
            guard received >= 0 else { throw .unreadable(path: name, reason: SystemError().reason) }
            if received == 0 {
                body.count = count
                return body
            }
            count += received
            guard count <= limit else { throw .document(.tooLarge(limit: limit), source: name) }
        }
    }
}
