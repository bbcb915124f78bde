// Retries of requests to the event service, and how failures are reported.

extension MirrorSession {
    /// A question that fails is asked again at most this often in a row.
    private static let mostFailures = 5
    /// A pause that the service asks for is waited for up to this long; the next run waits for the rest.
    private static let longestPause = Duration.seconds(600)

    /// Whether this run has taken as long as it may.
    var isOutOfTime: Bool { limits.maximumTime.map { ContinuousClock.now - start >= $0 } ?? false }

    /// Sends `request` to the event service, again after a while when it fails or asks for a pause. If `mayShrink`,
    /// what is too large is repeated only once, where it may have been a moment of weakness: the caller asks for less.
    ///
    /// - Returns: the answer; nil when this run may send no more requests.
    /// - Throws: the error of the last attempt.
    func patiently<Result>(
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
                    if !dryRun { try log.notePause(error, of: service.recordName) }
                    guard failures < Self.mostFailures else { throw error }
                    moment = max(moment, asked)
                } else {
                    let attempts = mayShrink && error.mostHalvings > 0 ? 2 : Self.mostFailures
                    // Without a network there is no use in waiting before anything has come.
                    guard error.mayPass, failures < attempts, !(isFirst && error.isAboutReaching) else { throw error }
                }
                try wait(until: moment, because: error)
            }
        }
        // No more requests may be sent, or the run was canceled.
        try observer.checkCancellation()
        return nil
    }

    /// Waits for the end of the pause that the event service asked for.
    func waitForPause() throws {
        guard let service, let pause = try log.pause(of: service.recordName, at: service.address),
            case .tryLater(let end, _, _) = pause
        else { return }
        try wait(until: end, because: pause)
    }

    /// Three times the pause between requests, twice as long after each further failure, at most a minute; with some
    /// chance, so that those who failed together do not come again together.
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

extension FeedError {
    /// How many times in a row a window is halved because of this error; 0 if a smaller one would fail as well. The
    /// service refuses what is too large with 400, and gives up on what takes too long.
    var mostHalvings: Int {
        switch self {
        case .status(400, _), .status(413, _): WindowLength.mostHalvings
        case .status(503, _), .status(504, _): 4
        case .document(let error, _): error.kind == .tooLarge ? WindowLength.mostHalvings : 0
        case .transport(let error):
            error.kind == .bodyTooLarge ? WindowLength.mostHalvings : error.kind == .deadlineExceeded ? 4 : 0
        default: 0
        }
    }

    /// Whether the service cannot be reached at all.
    fileprivate var isAboutReaching: Bool {
        if case .transport(let error) = self { error.kind == .unreachable } else { false }
    }

    /// Whether the same question may succeed a little later. A body that was cut short is the fault of a moment.
    var mayPass: Bool {
        switch self {
        case .status(let status, _): status >= 500 || status == 408
        case .transport(let error):
            [.unreachable, .connectionLost, .deadlineExceeded, .bodyTruncated, .helperCrashed].contains(error.kind)
        case .document(let error, _): error.kind == .broken
        default: false
        }
    }
}
