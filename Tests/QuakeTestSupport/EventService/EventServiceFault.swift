public import Foundation

/// What an ``EventServiceServer`` does with one request instead of answering it, or before.
public enum EventServiceFault: Sendable {
    /// Answers with `status` and a text, and with `Retry-After` where it is given.
    case status(Int, retryAfter: String? = nil)
    /// Waits, then answers as usual.
    case slow(Duration)
    /// Announces the whole answer, sends this part of it (0 to 1) and closes the connection.
    case truncated(Double)
    /// Closes the connection without an answer.
    case closed
    /// Answers 200 with these bytes instead of its own.
    case body(Data)
    /// Answers as usual, but with that many in place of the count: that of `count`, or that in the metadata.
    case falseCount(Int)

    /// Answers 200 with something else than JSON.
    public static let wrongJSON = EventServiceFault.body(Data("<html><body>Service is busy</body></html>".utf8))
}

/// One request that an ``EventServiceServer`` got.
public struct EventServiceRequest: Sendable {
    /// What was asked for: `query`, `count`, or the whole path where it is none of the service's.
    public let method: String
    /// The parameters by name; of one that is given twice the last.
    public let parameters: [String: String]
    /// Names in lower case.
    public let headers: [String: String]
    /// When it arrived.
    public let arrival: ContinuousClock.Instant
    /// How many others were being answered when it arrived.
    public let inFlight: Int
    /// The status with which it was answered; nil while it is not, and where the connection was closed instead.
    public internal(set) var status: Int?
    /// How many features it was answered with.
    public internal(set) var rows: Int?
}
