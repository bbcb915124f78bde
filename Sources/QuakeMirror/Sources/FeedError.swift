public import FoundationEssentials

/// The reason a feed could not be fetched or read.
public enum FeedError: Error, Hashable, Sendable, Encodable {
    /// A file or standard input cannot be read.
    case unreadable(path: String, reason: String)
    /// The document is not valid.
    case document(DocumentError, source: String)
    /// There was no response.
    case transport(TransportError)
    /// The server responded with an error status.
    case status(Int, url: String)
    /// The server `host` asked clients to wait until the given time.
    case tryLater(Timestamp, status: Int, host: String)
    /// The event service does not support the query, for the reason given in one sentence.
    case unusableQuery(String)

    /// Whether only this request failed, so that the same server may still handle another request.
    package var isOfThisRequestAlone: Bool {
        switch self {
        case .status, .document: true
        case .transport(let error): error.kind == .bodyTooLarge
        case .unreadable, .tryLater, .unusableQuery: false
        }
    }
}

/// A one-sentence description. Any advice to the user is left to the program.
extension FeedError: LocalizedError {
    public var errorDescription: String? { words }

    package var words: String {
        switch self {
        case .unreadable(let path, let reason): "Cannot read \(path): \(reason)."
        case .document(let error, let source) where EventEndpoint.isRequest(source):
            "The response from \(source) is not valid: \(error.words)."
        case .document(.geoJSONTimeIsFixed, let source): "\(source) is GeoJSON, which states when it was published."
        case .document(let error, let source): "\(source) is not a valid feed: \(error.words)."
        case .transport(let error): error.words
        case .status(let status, let url): "\(url) returned status \(status)."
        case .tryLater(let moment, let status, let host):
            "\(host) asked clients to wait until \(moment.momentWords) (status \(status))."
        case .unusableQuery(let words): words
        }
    }
}
