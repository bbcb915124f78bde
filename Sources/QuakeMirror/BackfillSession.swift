import FoundationEssentials
import QuakeFeed
import QuakeModel
import QuakeStore

/// Asks the event service for stretches of the catalogue, window by window. Each window is one transaction, with what
/// the cache holds from then on, so that an interrupted backfill goes on where it stopped.
struct BackfillSession {
    /// A window that fails is asked for again at most this often in a row.
    private static let mostFailures = 5
    /// A pause that the service asks for is waited for up to this long; the next run waits for the rest.
    private static let longestPause = Duration.seconds(600)

    private let context: QuakeContext
    private let service: EventService
    private let settings: MirrorSettings
    private let limits: BackfillSettings
    private let attention: BackfillAttention
    private let now: @Sendable () -> Timestamp
    private let start = ContinuousClock.now

    init(
        context: QuakeContext, service: EventService, settings: MirrorSettings, limits: BackfillSettings,
        attention: BackfillAttention, now: @escaping @Sendable () -> Timestamp
    ) {
        self.context = context
        self.service = service
        self.settings = settings
        self.limits = limits
        self.attention = attention
        self.now = now
    }

    /// Asks for `stretches` in their order.
    ///
    /// - Throws: ``FeedError`` when the service cannot be reached, refuses the question, fails again and again, or asks
    ///   for a long pause; ``StoreError``; `CancellationError`. What was applied before stays.
    func run(_ stretches: [CatalogueStretch], dryRun: Bool) throws -> BackfillReport {
        do {
            try waitForPause()
            var counts: [CatalogueCount] = []
            attention.report(.counting)
            for stretch in stretches {
                counts.append(
                    try patiently { () throws(FeedError) in try service.count(of: stretch.query) }
                        ?? CatalogueCount(count: 0))
            }
            let estimate = BackfillEstimate(stretches, counts: counts)
            attention.report(.expecting(estimate))
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
            try attention.requireAttention()
            if !dryRun { try note(error) }
            throw error
        }
    }

    /// Asks for one stretch, window by window. False when the limits of this run end it.
    private func ask(
        for stretch: CatalogueStretch, _ count: CatalogueCount, _ report: inout BackfillReport
    ) throws -> Bool {
        var rest = stretch.query.originTimes
        var length = WindowLength(rest, count)
        while !rest.isEmpty {
            let window = length.window(startOf: rest)
            guard !isOutOfTime else { return false }
            attention.report(.requesting(window))
            let asked = now()
            switch try answer(to: stretch.query, in: window) {
            case nil: return false
            case .tooLarge(let error):
                guard length.halve(window) else { throw error }
                attention.report(.halving(window, error))
            case .received(let answer):
                let applied = try apply(answer, to: stretch, window: window, asked: asked)
                report.add(applied)
                attention.report(.applied(applied))
                length.learn(window, quakes: applied.features)
                rest = window.upperBound..<rest.upperBound
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
                    throw .document(.truncated(bytes: snapshot.body.count), source: service.address)
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
            try attention.requireAttention()
            do throws(FeedError) {
                return try request()
            } catch {
                try attention.requireAttention()
                if case .tryLater(let moment, _, _) = error {
                    try note(error)
                    try wait(until: moment, because: error)
                    continue
                }
                failures += 1
                let attempts = mayShrink && error.isAboutSize ? 2 : Self.mostFailures
                // Without a network there is no use in waiting before anything has come.
                guard error.mayPass, failures < attempts, !(isFirst && error.isAboutReaching) else { throw error }
                try wait(until: now() + pause(after: failures), because: error)
            }
        }
    }

    /// Three times the pause between requests, twice as long after each further failure, at most a minute; with some
    /// chance, so that those who failed together do not come again together.
    private func pause(after failures: Int) -> Duration {
        let base = max(service.interval * 3, .milliseconds(100))
        return min(base * (1 << (failures - 1)), .seconds(60)) * Double.random(in: 0.75...1.25)
    }

    private func waitForPause() throws {
        guard let moment = try context.feed(named: service.recordName)?.notBefore, moment > now() else { return }
        try wait(
            until: moment, because: .tryLater(moment, status: 429, host: HTTPRequest.host(of: service.address)))
    }

    private func wait(until moment: Timestamp, because error: FeedError) throws {
        let left = limits.maximumTime.map { $0 - (ContinuousClock.now - start) } ?? Self.longestPause
        guard moment - now() <= min(left, Self.longestPause) else { throw error }
        attention.report(.waiting(until: moment, error))
        attention.sleep(moment - now())
        try attention.requireAttention()
    }

    private func note(_ error: FeedError) throws {
        var record = try context.feed(named: service.recordName) ?? FeedRecord(name: service.recordName)
        if case .tryLater(let moment, _, _) = error {
            record.notBefore = moment
        } else {
            record.error = attention.describe(error)
            record.errorTime = now()
        }
        try context.save(record)
    }

    private func noteSuccess() throws {
        let record = try context.feed(named: service.recordName)
        if record?.notBefore != nil || record?.error != nil {
            try context.save(FeedRecord(name: service.recordName))
        }
    }
}

// MARK: Applying

extension BackfillSession {
    private func apply(
        _ answer: CatalogueAnswer, to stretch: CatalogueStretch, window: Range<Timestamp>, asked: Timestamp
    ) throws -> BackfillWindow {
        var query = stretch.query
        query.originTimes = window
        let address = service.address(of: query)
        let snapshot: FeedSnapshot
        switch answer {
        case .snapshot(let received): snapshot = received
        case .nothing: snapshot = try FeedSnapshot(Data(Self.empty.utf8), source: address)
        }
        let published = snapshot.envelope.generated ?? asked
        guard published <= now() + .seconds(86_400) else {
            throw FeedError.document(.fromTheFuture(generated: published, now: now()), source: address)
        }
        let asOf = min(published, asked)
        let origin = TransactionOrigin(
            context: "catalogue",
            provenance: HistoryTransaction.Provenance(
                url: address, generated: published, featureCount: snapshot.features.count),
            digest: snapshot.beginDigest())
        do {
            let parts = try context.catalogueParts()
            let (applied, transaction) = try context.write(origin) { writer in
                let applied = try CatalogueApplication(
                    snapshot, to: stretch, window: window, asOf: asOf, settings: settings, parts: parts, writer: writer
                ).run()
                try attention.requireAttention()
                return applied
            }
            return BackfillWindow(applied, of: snapshot, to: stretch, window, transaction)
        } catch let error as DocumentError {
            throw FeedError.document(error, source: address)
        }
    }

    private static let empty = #"{"type":"FeatureCollection","features":[]}"#
}

extension FeedSnapshot {
    /// Whether it has as many features as it says.
    fileprivate var isWhole: Bool { envelope.count.map { $0 == features.count } ?? true }
}

extension BackfillEstimate {
    fileprivate init(_ stretches: [CatalogueStretch], counts: [CatalogueCount]) {
        originTimes = stretches.map(\.query.originTimes)
        quakes = counts.reduce(0) { $0 + $1.count }
        requests = counts.reduce(0) { $0 + WindowLength.requests($1) }
    }
}

extension BackfillWindow {
    fileprivate init(
        _ applied: AppliedFeatures, of snapshot: FeedSnapshot, to stretch: CatalogueStretch, _ window: Range<Timestamp>,
        _ transaction: HistoryTransaction?
    ) {
        originTimes = window
        isUpdate = stretch.purpose == .update
        features = snapshot.features.count
        inserted = applied.counts.inserted.values.reduce(0, +)
        updated = applied.counts.updated.values.reduce(0, +)
        deleted = applied.counts.deleted.values.reduce(0, +)
        skipped = applied.skipped
        self.transaction = transaction?.number
    }
}
