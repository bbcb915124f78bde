public import Foundation

/// What an ``EventServiceServer`` does before or instead of responding to a request.
public enum EventServiceFault: Sendable {
    /// Responds with `status`, a text and, if given, `Retry-After`.
    case status(Int, retryAfter: String? = nil)
    /// Waits, then responds as usual.
    case slow(Duration)
    /// Announces the whole response, sends this part of it (0 to 1) and closes the connection.
    case truncated(Double)
    /// Closes the connection without a response.
    case closed
    /// Responds 200 with these bytes instead of its own.
    case body(Data)
    /// Responds as usual, but with this number instead of the count, in `count` or in the metadata.
    case falseCount(Int)

    /// Responds 200 with something other than JSON.
    public static let wrongJSON = EventServiceFault.body(Data("<html><body>Service is busy</body></html>".utf8))
}

/// A request received by an ``EventServiceServer``.
public struct EventServiceRequest: Sendable {
    /// The method requested: `query`, `count`, or the whole path if it is not one of the service's.
    public let method: String
    /// The parameters by name; for a repeated parameter, the last value.
    public let parameters: [String: String]
    /// The header fields, with lowercase names.
    public let headers: [String: String]
    /// The time of its arrival.
    public let arrival: ContinuousClock.Instant
    /// The number of other requests in progress when it arrived.
    public let inFlight: Int
    /// The status of the response; nil until then, or if the connection was closed instead.
    public internal(set) var status: Int?
    /// The number of features in the response.
    public internal(set) var rows: Int?
}
