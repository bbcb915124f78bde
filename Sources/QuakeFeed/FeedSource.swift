import Foundation
public import QuakeModel

/// Where a snapshot comes from.
public enum FeedSource: Hashable, Sendable {
    /// A summary feed of the endpoint.
    case summary(FeedName)
    /// An http or https address.
    case address(String)
    case file(String)
    case standardInput

    /// The source a user means by `text`: a feed's name, an address, `-`, or a path. Nil when it is none of them: no feed has
    /// the name, and nothing about it looks like a path.
    public init?(_ text: String) {
        if let feed = FeedName(text) {
            self = .summary(feed)
        } else if text == "-" {
            self = .standardInput
        } else if text.lowercased().hasPrefix("http://") || text.lowercased().hasPrefix("https://") {
            self = .address(text)
        } else if !text.contains("://"),
            text.contains("/") || text.contains(".") && text.lowercased().hasSuffix("json")
                || FileManager.default.fileExists(atPath: text)
        {
            self = .file(text)
        } else {
            return nil
        }
    }

    /// What the source is called before its document has said its own name.
    public func address(at endpoint: FeedEndpoint) -> String {
        switch self {
        case .summary(let feed): endpoint.url(for: feed)
        case .address(let url): url
        case .file(let path): path
        case .standardInput: "standard input"
        }
    }

    /// Whether it is downloaded.
    public var isRemote: Bool {
        switch self {
        case .summary, .address: true
        case .file, .standardInput: false
        }
    }

    /// The feed that was asked for by name.
    public var asked: FeedName? {
        if case .summary(let feed) = self { feed } else { nil }
    }

    /// The name under which the cache remembers the source before it has read it.
    public func recordName(at endpoint: FeedEndpoint) -> String {
        switch self {
        case .summary(let feed): feed.description
        case .address(let url): FeedName(address: url)?.description ?? url
        case .file, .standardInput: address(at: endpoint)
        }
    }
}

extension FeedName {
    /// The summary feed an address leads to, by its last part: `…/summary/all_week.geojson`.
    public init?(address: String) {
        guard let last = address.split(separator: "?").first?.split(separator: "/").last, last.hasSuffix(".geojson")
        else { return nil }
        self.init(last.dropLast(".geojson".count))
    }
}

extension FeedSource {
    /// Whether `path` leads to something that can be read only once, such as a pipe.
    public static func isReadOnce(_ path: String) -> Bool {
        FileContents.isReadOnce(path)
    }
}
