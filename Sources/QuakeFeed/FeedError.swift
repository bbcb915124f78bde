public import QuakeModel

/// Why a feed could not be had or read.
public enum FeedError: Error, Hashable, Sendable {
    /// A file, or standard input, cannot be read.
    case unreadable(path: String, reason: String)
    /// What came must not be believed.
    case document(DocumentError, source: String)
    /// No answer came.
    case transport(TransportError)
    /// The server answered, but not with a document.
    case status(Int, url: String)
    /// The host asks for a pause until this moment.
    case tryLater(Timestamp, status: Int, host: String)

    /// Whether another feed of the same server may be better: it answered, but not with this one.
    public var isOfThisFeedAlone: Bool {
        switch self {
        case .status, .document: true
        case .unreadable, .transport, .tryLater: false
        }
    }
}
