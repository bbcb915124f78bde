import Glibc

/// How fast and how often a server may be called in one run.
package struct RequestPace: Sendable {
    /// The minimum time from one request to the next.
    package var interval: Duration
    package var limit: Int
    /// How many requests were counted.
    package private(set) var taken = 0
    private let now: @Sendable () -> ContinuousClock.Instant
    private let pause: @Sendable (Duration) -> Bool
    private var last: ContinuousClock.Instant?

    /// A pace; by default one request a second and 50 in all, well below the event service's limit of 500 in 5 minutes.
    ///
    /// - Parameter pause: sleeps for about so long. False when the run was canceled.
    package init(
        interval: Duration = .seconds(1), limit: Int = 50,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        pause: @escaping @Sendable (Duration) -> Bool = {
            RequestPace.sleep($0); return true
        }
    ) {
        (self.interval, self.limit, self.now, self.pause) = (interval, limit, now, pause)
    }

    /// Waits until the next request may be sent, and counts it. False if no more may be sent, or after a cancellation.
    mutating func take() -> Bool {
        guard limit > 0 else { return false }
        // A signal may end a pause early.
        while let last, now() - last < interval {
            guard pause(interval - (now() - last)) else { return false }
        }
        limit -= 1
        taken += 1
        last = now()
        return true
    }

    package static func sleep(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        nanosleep(&time, nil)
    }
}
