import QuakeStore

/// The pause, request limit and time limit of a backfill.
public struct BackfillSettings: Hashable, Sendable {
    /// The minimum time between requests; nil for the shortest time allowed, which is zero for a server on this machine
    /// and one second for any other. A shorter time is raised to the shortest time allowed.
    public var pause: Duration?
    /// The maximum number of requests; nil for no limit.
    public var maximumRequests: Int?
    /// The maximum duration of the backfill; nil for no limit. A request in progress may finish.
    public var maximumTime: Duration?

    /// Creates settings; by default, with the shortest pause allowed and no limits.
    public init(pause: Duration? = nil, maximumRequests: Int? = nil, maximumTime: Duration? = nil) {
        self.pause = pause
        self.maximumRequests = maximumRequests
        self.maximumTime = maximumTime
    }

    /// Throws ``/QuakeStore/StoreError/outOfRange(_:value:)`` for a negative value.
    func requireInRange() throws(StoreError) {
        try StoreError.require("pause", pause, atLeast: .zero)
        try StoreError.require("maximumRequests", maximumRequests, atLeast: 0)
        try StoreError.require("maximumTime", maximumTime, atLeast: .zero)
    }
}
