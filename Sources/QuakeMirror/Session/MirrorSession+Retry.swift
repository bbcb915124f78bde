// Retrying requests to the event service.

extension MirrorSession {
    /// The maximum number of failures in a row before giving up on a request.
    private static let maximumFailures = 5
    /// The longest pause to wait out within a run. A longer pause is left to the next run.
    private static let longestPause = Duration.seconds(600)

    /// Whether this run has reached its time limit.
    var isOutOfTime: Bool { limits.maximumTime.map { ContinuousClock.now - start >= $0 } ?? false }
    /// Whether this run has used half of its time.
    var hasUsedHalfItsTime: Bool { limits.maximumTime.map { ContinuousClock.now - start >= $0 / 2 } ?? false }

    /// Sends `request` to the event service, and repeats it later if the service fails or demands a pause. If
    /// `mayShrink` is true, the caller can request less: a request that may be too large is then repeated only once, in
    /// case the failure was temporary.
    ///
    /// - Returns: the result; nil if this run may send no more requests.
    /// - Throws: the error of the last attempt.
    func retrying<Result>(
        mayShrink: Bool = false, _ request: (EventService) throws(FeedError) -> Result?
    ) throws -> Result? {
        guard let service else { return nil }
        let isFirst = service.requests == 0
        var failures = 0
        while true {
            try observer.checkCancellation()
            do throws(FeedError) {
                guard let result = try request(service) else { break }
                return result
            } catch {
                try observer.checkCancellation()
                failures += 1
                var moment = now() + pause(after: failures)
                if case .tryLater(let asked, _, _) = error {
                    if !dryRun { try sources.recordPause(error, of: service.feedRecordName) }
                    guard failures < Self.maximumFailures else { throw error }
                    moment = max(moment, asked)
                } else {
                    let attempts = mayShrink && error.maximumHalvings > 0 ? 2 : Self.maximumFailures
                    // If the run's first request cannot reach the service, waiting is pointless.
                    guard error.isTransient, failures < attempts, !(isFirst && error.isUnreachable) else { throw error }
                }
                try wait(until: moment, because: error)
            }
        }
        // No more requests may be sent, or the run was canceled.
        try observer.checkCancellation()
        return nil
    }

    /// Waits out the pause that the event service demanded.
    func waitForPause() throws {
        guard let service, let pause = try sources.pause(of: service.feedRecordName, at: service.address, now: now()),
            case .tryLater(let end, _, _) = pause
        else { return }
        try wait(until: end, because: pause)
    }

    /// Returns three times the pause between requests (at least 0.1 s), doubled after each further failure, up to a
    /// minute. The result is varied at random by up to a quarter. The variation keeps clients that failed together from
    /// retrying together.
    func pause(after failures: Int) -> Duration {
        let base = max((service?.interval ?? .zero) * 3, .milliseconds(100))
        return min(base * (1 << (failures - 1)), .seconds(60)) * Double.random(in: 0.75...1.25)
    }

    private func wait(until moment: Timestamp, because error: FeedError) throws {
        let left = limits.maximumTime.map { $0 - (ContinuousClock.now - start) } ?? Self.longestPause
        guard moment - now() <= min(left, Self.longestPause) else { throw error }
        observer.report(.pausing(until: moment, error))
        observer.sleep(moment - now())
        try observer.checkCancellation()
    }
}
