import QuakeFeed
import QuakeHTTP
import QuakeModel
import QuakeStore

/// Asks the event service for stretches of the catalogue, window by window. Each window is one transaction, with what
/// the cache holds from then on, so that an interrupted backfill goes on where it stopped.
struct BackfillSession {
    /// A window that fails is asked for again at most this often in a row.
    private static let mostFailures = 5
    /// A pause that the service asks for is waited for up to this long; the next run waits for the rest.
    private static let longestPause = Duration.seconds(600)

    let context: QuakeContext
    let service: EventService
    let settings: MirrorSettings
    let limits: BackfillSettings
    let dryRun: Bool
    let observer: MirrorObserver<BackfillProgress>
    let now: @Sendable () -> Timestamp
    private let start = ContinuousClock.now

    /// Asks for `stretches` in their order.
    ///
    /// - Throws: ``FeedError`` when the service cannot be reached, refuses the question, fails again and again, or asks
    ///   for a long pause; ``StoreError``; `CancellationError`. What was applied before stays.
    func run(_ stretches: [CatalogueStretch]) throws -> BackfillReport {
        do {
            if !stretches.isEmpty { try waitForPause() }
            observer.report(.counting)
            let counts = try counts(of: stretches)
            let estimate = BackfillEstimate(stretches, counts: counts, pause: service.interval)
            observer.report(.expecting(estimate))
            var report = BackfillReport(estimate, token: try context.head(), dryRun: dryRun)
            var isComplete = !service.isExhausted
            if !dryRun {
                for (stretch, count) in zip(stretches, counts) where isComplete {
                    isComplete = try ask(for: stretch, count, &report)
                }
                try noteSuccess()
            }
            report.end(requests: service.requests, isComplete: isComplete)
            report.token = try context.head()
            return report
        } catch let error as FeedError {
            try observer.checkCancellation()
            try note(error)
            throw error
        }
    }

    /// How many quakes the stretches have. Where this run may send few requests, counting takes half of them: the other
    /// stretches are counted when their turn comes.
    private func counts(of stretches: [CatalogueStretch]) throws -> [CatalogueCount?] {
        let most = dryRun ? .max : (limits.maximumRequests ?? .max) / 2
        return try stretches.enumerated().map { index, stretch in index < most ? try count(stretch) : nil }
    }

    private func count(_ stretch: CatalogueStretch) throws -> CatalogueCount? {
        try patiently { () throws(FeedError) in try service.count(of: stretch.query) }
    }

    /// Asks for one stretch, window by window. False when the limits of this run end it.
    private func ask(
        for stretch: CatalogueStretch, _ known: CatalogueCount?, _ report: inout BackfillReport
    ) throws -> Bool {
        // A single request that is left goes to the quakes, as if there were few.
        let counted = try known ?? (service.requestsLeft > 1 ? count(stretch) : CatalogueCount(count: 0))
        guard let count = counted else { return false }
        var rest = stretch.query.originTimes
        var length = WindowLength(rest, count)
        var refusals: [FeedError] = []
        while !rest.isEmpty {
            let window = length.window(startOf: rest)
            guard !isOutOfTime else { return false }
            observer.report(.requesting(window))
            let asked = now()
            switch try answer(to: stretch.query, in: window) {
            case nil: return false
            case .tooLarge(let error):
                refusals.append(error)
                guard refusals.count <= error.mostHalvings else { throw refusals[0] }
                // What cannot be halved any more is told as it was asked.
                guard length.halve(window) else { throw error }
                observer.report(.halving(window, error))
                // A service that fails has time to recover.
                if error.mayPass { observer.sleep(pause(after: refusals.count)) }
            case .received(let answer) where answer.isFull(count) && length.halve(window):
                // Some services leave out what is too much, without a word.
                observer.report(.halving(window, .status(413, url: service.address)))
            case .received(let answer):
                let applied = try apply(answer, to: stretch, window: window, asked: asked)
                report.add(applied)
                observer.report(.applied(applied))
                length.learn(window, quakes: applied.features)
                rest = window.upperBound..<rest.upperBound
                refusals = []
            }
        }
        return true
    }

    private var isOutOfTime: Bool {
        limits.maximumTime.map { ContinuousClock.now - start >= $0 } ?? false
    }
}

// MARK: Asking

extension BackfillSession {
    private enum Answer {
        case received(CatalogueAnswer)
        /// The service refused the window, or it took too long.
        case tooLarge(FeedError)
    }

    /// The answer to `query` in `window`; nil when this run may send no more requests.
    private func answer(to query: CatalogueQuery, in window: Range<Timestamp>) throws -> Answer? {
        var query = query
        query.originTimes = window
        do {
            return try patiently(mayShrink: true) { () throws(FeedError) in
                guard let answer = try service.answer(to: query) else { return nil }
                if case .snapshot(let snapshot) = answer, !snapshot.isWhole {
                    throw .document(
                        .miscounted(found: snapshot.features.count, said: snapshot.envelope.count ?? 0),
                        source: service.address)
                }
                return .received(answer)
            }
        } catch let error as FeedError where error.isAboutSize {
            return .tooLarge(error)
        }
    }

    /// Runs `request`, again after a while when the service fails or asks for a pause. If `mayShrink`, what is too
    /// large is repeated only once, where it may have been a moment of weakness: the caller asks for less.
    private func patiently<Result>(
        mayShrink: Bool = false, _ request: () throws(FeedError) -> Result?
    ) throws -> Result? {
        let isFirst = service.requests == 0
        var failures = 0
        while true {
            try observer.checkCancellation()
            do throws(FeedError) {
                guard let result = try request() else { break }
                return result
            } catch {
                try observer.checkCancellation()
                failures += 1
                var moment = now() + pause(after: failures)
                if case .tryLater(let asked, _, _) = error {
                    try note(error)
                    guard failures < Self.mostFailures else { throw error }
                    moment = max(moment, asked)
                } else {
                    let attempts = mayShrink && error.isAboutSize ? 2 : Self.mostFailures
                    // Without a network there is no use in waiting before anything has come.
                    guard error.mayPass, failures < attempts, !(isFirst && error.isAboutReaching) else { throw error }
                }
                try wait(until: moment, because: error)
            }
        }
        // No more requests may be sent, or the run was cancelled.
        try observer.checkCancellation()
        return nil
    }

    /// Three times the pause between requests, twice as long after each further failure, at most a minute; with some
    /// chance, so that those who failed together do not come again together.
    private func pause(after failures: Int) -> Duration {
        let base = max(service.interval * 3, .milliseconds(100))
        return min(base * (1 << (failures - 1)), .seconds(60)) * Double.random(in: 0.75...1.25)
    }

    private func waitForPause() throws {
        guard let pause = try context.feed(named: service.recordName)?.pause, pause.end > now() else { return }
        try wait(until: pause.end, because: FeedError(pause, of: service.address))
    }

    private func wait(until moment: Timestamp, because error: FeedError) throws {
        let left = limits.maximumTime.map { $0 - (ContinuousClock.now - start) } ?? Self.longestPause
        guard moment - now() <= min(left, Self.longestPause) else { throw error }
        observer.report(.waiting(until: moment, error))
        observer.sleep(moment - now())
        try observer.checkCancellation()
    }

    private func note(_ error: FeedError) throws {
        guard !dryRun else { return }
        var record = try context.feed(named: service.recordName) ?? FeedRecord(name: service.recordName)
        if let pause = error.pause {
            record.pause = pause
        } else {
            record.error = observer.describe(error)
            record.errorTime = now()
        }
        try context.save(record)
    }

    /// Clears what was noted about the service, also under other addresses: it answers.
    private func noteSuccess() throws {
        guard service.requests > 0 else { return }
        for record in try context.feeds() where record.source.isService {
            if record.error != nil || record.name == service.recordName && record.pause != nil {
                try context.save(FeedRecord(name: record.name))
            }
        }
    }
}

extension FeedSnapshot {
    /// Whether it has as many features as it says.
    fileprivate var isWhole: Bool { envelope.count.map { $0 == features.count } ?? true }
}

extension CatalogueAnswer {
    /// Whether it has as many features as an answer may have.
    fileprivate func isFull(_ count: CatalogueCount) -> Bool {
        guard case .snapshot(let snapshot) = self, let most = count.maxAllowed else { return false }
        return snapshot.features.count >= most
    }
}

extension BackfillEstimate {
    fileprivate init(_ stretches: [CatalogueStretch], counts: [CatalogueCount?], pause: Duration) {
        originTimes = stretches.map(\.query.originTimes)
        isUpdate = stretches.allSatisfy { $0.purpose == .update }
        isComplete = counts.allSatisfy { $0 != nil }
        quakes = counts.reduce(0) { $0 + ($1?.count ?? 0) }
        requests = counts.reduce(0) { $0 + ($1.map(WindowLength.requests) ?? 1) }
        self.pause = pause
    }
}
