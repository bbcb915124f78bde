import QuakeFeed
import QuakeHTTP
import QuakeModel
import QuakeStore

/// Asks the event service for stretches of the catalogue, window by window. Each window is one transaction.
///
/// Need: the cache claims only what the service sent whole. Hazard: answers are cut or stale without a word, and a
/// count for each window would double the requests. Choice: a stretch is counted once, before its quakes, and the last
/// window proves all of them; what is short is counted and asked for again in halves. Price: nothing of a stretch is
/// held before its last window (``FetchedWindow``). See decision 0141.
struct BackfillSession {
    /// A window that fails is asked for again at most this often in a row.
    private static let mostFailures = 5
    /// A pause that the service asks for is waited for up to this long; the next run waits for the rest.
    private static let longestPause = Duration.seconds(600)
    /// A run that found so many windows short asks no more.
    private static let mostShortWindows = 10

    let context: QuakeContext
    let service: EventService
    let settings: MirrorSettings
    let limits: BackfillSettings
    let dryRun: Bool
    /// Whether windows that an interrupted run fetched need not be asked for.
    let resumes: Bool
    let observer: MirrorObserver<BackfillProgress>
    let now: @Sendable () -> Timestamp
    private let start = ContinuousClock.now

    /// What to ask for, and the epoch of the claims that this was found out by.
    typealias Plan = (stretches: [CatalogueStretch], epoch: Int64)

    /// Asks for what `plan` gives, which is asked anew when claims were taken back meanwhile.
    ///
    /// - Throws: ``FeedError`` when the service cannot be reached, refuses the question, fails again and again, or asks
    ///   for a long pause; ``StoreError``; `CancellationError`. What was applied before stays.
    func run(_ plan: () throws -> Plan) throws -> BackfillReport {
        do {
            var (stretches, epoch) = try plan()
            if try !stretches.isEmpty || context.hasFetchedWindows() { try waitForPause() }
            observer.report(.counting)
            var counts = try counts(of: stretches)
            let estimate = BackfillEstimate(stretches, counts: counts, pause: service.interval)
            observer.report(.expecting(estimate))
            var report = BackfillReport(estimate, token: try context.head(), dryRun: dryRun)
            var isComplete = !service.isExhausted
            while !dryRun {
                do {
                    for (stretch, count) in zip(stretches, counts) where isComplete {
                        isComplete = try ask(for: stretch, count, epoch, &report)
                    }
                    try noteSuccess()
                    break
                } catch is OutdatedPlan {
                    (stretches, epoch) = try plan()
                    counts = Array(repeating: nil, count: stretches.count)
                }
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
        return try stretches.enumerated().map { index, stretch in
            index < most ? try count(stretch, in: stretch.originTimes) : nil
        }
    }

    /// How many quakes `stretch` has in `originTimes`; nil when this run may send no more requests.
    private func count(_ stretch: CatalogueStretch, in originTimes: Range<Timestamp>) throws -> CatalogueCount? {
        try patiently { () throws(FeedError) in try service.count(of: stretch.in(originTimes).query) }
    }

    private var isOutOfTime: Bool {
        limits.maximumTime.map { ContinuousClock.now - start >= $0 } ?? false
    }
}

/// Claims were taken back since the plan was made.
struct OutdatedPlan: Error {}

// MARK: One stretch

extension BackfillSession {
    /// Asks for one stretch. False when the limits of this run end it.
    ///
    /// - Parameter halvings: how often a stretch was halved to get here, because too little came.
    private func ask(
        for stretch: CatalogueStretch, _ known: CatalogueCount?, _ epoch: Int64, _ report: inout BackfillReport,
        halvings: Int = 0
    ) throws -> Bool {
        // A single request that is left goes to the quakes, as if there were few: the next run counts.
        let counted = try known ?? (service.requestsLeft > 1 ? count(stretch, in: stretch.originTimes) : nil)
        // Changes go on while they are asked for: a count is compared with one answer only.
        if stretch.purpose == .update, let counted, WindowLength.requests(counted) > 1,
            let halves = WindowLength.halves(of: stretch.originTimes)
        {
            for half in halves {
                guard try ask(for: stretch.in(half), nil, epoch, &report, halvings: halvings) else { return false }
            }
            return true
        }
        var fetch = StretchFetch(of: stretch, count: counted, fetched: resumes ? try fetchedWindows(in: stretch) : [])
        // An earlier run fetched all, and was ended before it could compare.
        if let proven = fetch.proofOfFetched() { try claim(proven, of: stretch, epoch) }
        guard try run(&fetch, epoch, &report), let counted else { return false }
        guard !fetch.isProven else {
            noteAge(of: fetch.fetched, of: stretch, &report, halvings: halvings)
            return true
        }
        for window in fetch.fetched {
            let own = fetch.fetched.count == 1 ? counted : try count(stretch, in: window.originTimes)
            guard let own, try settle(window, own, of: stretch, epoch, &report, halvings: halvings) else {
                return false
            }
        }
        return true
    }

    /// The windows of `stretch` that an earlier run fetched.
    private func fetchedWindows(in stretch: CatalogueStretch) throws -> [FetchedWindow] {
        try context.fetchedWindows(of: stretch.query.question).filter { window in
            stretch.originTimes.lowerBound <= window.originTimes.lowerBound
                && window.originTimes.upperBound <= stretch.originTimes.upperBound
        }
    }

    /// Asks for the windows that `fetch` lacks. False when the limits of this run end it.
    private func run(_ fetch: inout StretchFetch, _ epoch: Int64, _ report: inout BackfillReport) throws -> Bool {
        while let window = fetch.nextWindow {
            guard !isOutOfTime else { return false }
            observer.report(.requesting(window))
            let asked = now()
            switch try answer(to: fetch.stretch, in: window) {
            case nil: return false
            case .tooLarge(let error):
                let refusals = try fetch.refuse(window, because: error)
                observer.report(.halving(window, error))
                // A service that fails has time to recover.
                if error.mayPass { observer.sleep(pause(after: refusals)) }
            case .received(let answer):
                // Some services leave out what is too much, without a word.
                if answer.features >= fetch.most, fetch.halve(window) {
                    observer.report(.halving(window, .status(413, url: service.address)))
                    continue
                }
                let (applied, came) = try apply(
                    answer, to: fetch.stretch, window: window, asked: asked, epoch: epoch, proof: fetch.proof)
                fetch.add(came, features: applied.features)
                report.add(applied)
                observer.report(.applied(applied))
            }
        }
        return true
    }

    /// Claims a window of which as many quakes came as the service counts in it. One of which fewer came is asked for
    /// again in halves; where that brings nothing either, it is reported and stays unclaimed.
    private func settle(
        _ window: FetchedWindow, _ counted: CatalogueCount, of stretch: CatalogueStretch, _ epoch: Int64,
        _ report: inout BackfillReport, halvings: Int
    ) throws -> Bool {
        if window.features >= counted.count {
            try claim([window], of: stretch, epoch)
            noteAge(of: [window], of: stretch, &report, halvings: halvings)
            return true
        }
        try context.write { try $0.forgetWindows(of: stretch.query.question, in: window.originTimes) }
        let mayHelp = halvings == 0 || window.features > 0 && halvings < WindowLength.mostHalvings
        guard mayHelp, let halves = WindowLength.halves(of: window.originTimes) else {
            let short = UnclaimedWindow(
                originTimes: window.originTimes, reason: .short(counted: counted.count, sent: window.features))
            report.add(short)
            observer.report(.unclaimed(short))
            return report.unclaimed.count < Self.mostShortWindows
        }
        for half in halves {
            guard try ask(for: stretch.in(half), nil, epoch, &report, halvings: halvings + 1) else { return false }
        }
        return true
    }

    /// Reports whole answers that are so old that they are not claimed as they were asked for: the end of a closed
    /// window, anything of an open one, any change since the last update.
    private func noteAge(
        of windows: [FetchedWindow], of stretch: CatalogueStretch, _ report: inout BackfillReport, halvings: Int
    ) {
        for window in windows {
            let end =
                switch stretch.purpose {
                case .update: stretch.query.updatedAfter.map { $0 + CataloguePlan.overlap } ?? window.asOf
                // The second half of what ends now may begin after the service's now.
                case .claim(isOpenEnded: true): halvings > 0 ? window.asOf : window.originTimes.lowerBound
                case .claim(isOpenEnded: false): window.originTimes.upperBound
                }
            guard window.asOf < end - Self.clockTolerance else { continue }
            let old = UnclaimedWindow(originTimes: window.originTimes, reason: .old(asOf: window.asOf))
            report.add(old)
            observer.report(.unclaimed(old))
        }
    }

    /// Clocks differ by less than this.
    private static let clockTolerance = Duration.seconds(3_600)
}

// MARK: Asking

extension BackfillSession {
    private enum Answer {
        case received(CatalogueAnswer)
        /// The service refused the window, or it took too long.
        case tooLarge(FeedError)
    }

    /// The answer to the question of `stretch` in `window`; nil when this run may send no more requests.
    private func answer(to stretch: CatalogueStretch, in window: Range<Timestamp>) throws -> Answer? {
        let query = stretch.in(window).query
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
    /// How many features it has.
    fileprivate var features: Int {
        switch self {
        case .snapshot(let snapshot): snapshot.features.count
        case .nothing: 0
        }
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
