import Glibc

/// How fast and how often a server may be asked in one run.
public struct RequestPace: Sendable {
    /// At least so much time lies between one request and the next.
    public var interval: Duration
    /// No more requests than this.
    public var limit: Int
    private let now: @Sendable () -> ContinuousClock.Instant
    private let pause: @Sendable (Duration) -> Void
    private var last: ContinuousClock.Instant?

    /// A pace; by default one request a second and 50 in all, well below the 500 in 5 minutes the event service grants.
    public init(
        interval: Duration = .seconds(1), limit: Int = 50,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        pause: @escaping @Sendable (Duration) -> Void = RequestPace.sleep
    ) {
        self.interval = interval
        self.limit = limit
        self.now = now
        self.pause = pause
    }

    /// Waits until the next request may be sent, and counts it. False when no more may be sent.
    mutating func take() -> Bool {
        guard limit > 0 else { return false }
        limit -= 1
        // A pause may end early, as when a signal comes.
        while let last, now() - last < interval { pause(interval - (now() - last)) }
        last = now()
        return true
    }

    /// Lets the thread sleep.
    public static func sleep(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        nanosleep(&time, nil)
    }
}
