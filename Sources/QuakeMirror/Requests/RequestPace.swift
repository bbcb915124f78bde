import Glibc

/// Limits the rate and the number of requests to a server in one run.
package struct RequestPace: Sendable {
    /// The minimum time between requests.
    package var interval: Duration
    /// The number of requests that may still be sent.
    package var limit: Int
    /// The number of requests counted so far.
    package private(set) var taken = 0
    private let now: @Sendable () -> ContinuousClock.Instant
    private let pause: @Sendable (Duration) -> Bool
    private var last: ContinuousClock.Instant?

    /// Creates a pace; by default one request per second and 50 in total, well below the event service's limit of 500
    /// in 5 minutes.
    ///
    /// - Parameter pause: sleeps for about the given time. Returns false if the run was canceled.
    package init(
        interval: Duration = .seconds(1), limit: Int = 50,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        pause: @escaping @Sendable (Duration) -> Bool = {
            RequestPace.sleep($0); return true
        }
    ) {
        self.interval = interval
        self.limit = limit
        self.now = now
        self.pause = pause
    }

    /// Waits until the next request may be sent, and counts it. Returns false if no more requests may be sent, or if
    /// the run was canceled.
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
