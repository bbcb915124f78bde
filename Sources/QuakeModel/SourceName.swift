/// The name under which a cache remembers a source and what it answered.
package enum SourceName: Hashable, Sendable, CustomStringConvertible {
    /// A summary feed.
    case feed(FeedName)
    /// The event service at this address, asked about single quakes and for the windows of a backfill.
    case service(address: String)
    /// An address whose document does not name a summary feed.
    case address(String)
    case file(String)
    case standardInput

    /// The source whose name is written so.
    package init(_ text: String) {
        if text.hasPrefix(Self.servicePrefix) {
            self = .service(address: String(text.dropFirst(Self.servicePrefix.count)))
        } else if let feed = FeedName(text) {
            self = .feed(feed)
        } else if text == Self.standardInputText {
            self = .standardInput
        } else {
            self = text.contains("://") ? .address(text) : .file(text)
        }
    }

    private static let servicePrefix = "event service "
    private static let standardInputText = "standard input"

    /// The name as it is written.
    package var description: String {
        switch self {
        case .feed(let feed): feed.description
        case .service(let address): Self.servicePrefix + address
        case .address(let text), .file(let text): text
        case .standardInput: Self.standardInputText
        }
    }

    /// Whether this is the event service.
    package var isService: Bool { if case .service = self { true } else { false } }
}
