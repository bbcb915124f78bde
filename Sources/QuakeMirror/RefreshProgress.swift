public import QuakeHTTP

/// How far a refresh is.
public enum RefreshProgress: Hashable, Sendable {
    /// Another refresh of the cache is running; this one waits for its end.
    case waiting
    /// A request is sent to this address.
    case requesting(String)
    /// So much of the answer has come.
    case received(DownloadProgress)
    /// A document with so many features is compared with the cache.
    case applying(features: Int)
    /// The document is applied, and the event service is asked about so many missing quakes.
    case asking(quakes: Int)
}
