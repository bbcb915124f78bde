import QuakeFeed
import QuakeModel
import QuakeStore

/// Asks the event service for stretches of the catalogue, window by window. Each window is a task of the session.
///
/// Need: the cache claims only what the service sent whole. Hazard: answers are cut or stale without a word, and a
/// count for each window would double the requests. Choice: a stretch is counted once, before its quakes, and the last
/// window proves all of them; what is short is counted and asked for again in halves. Price: nothing of a stretch is
/// held before its last window (``FetchedWindow``). See decision 0141.
struct Backfill {
    /// A run that found so many windows short asks no more.
    private static let mostShortWindows = 10
    /// Clocks differ by less than this.
    private static let clockTolerance = Duration.seconds(3_600)

    private let session: MirrorSession
    private let service: EventService
    private let request: BackfillRequest
    /// The epoch of the claims by which the plan was made.
    private var epoch: Int64 = 0
    private var report: BackfillReport

    init(_ request: BackfillRequest, by service: EventService, in session: MirrorSession) throws {
        (self.request, self.service, self.session) = (request, service, session)
        report = BackfillReport(
            BackfillEstimate([], counts: [], pause: service.interval), token: try session.context.history.head(),
            dryRun: session.dryRun)
    }

    /// Asks for what the request needs. What that is, is found out anew when claims were taken back meanwhile.
    ///
    /// - Throws: ``FeedError`` when the service cannot be reached, refuses the question, fails again and again, or asks
    ///   for a long pause; ``StoreError``; `CancellationError`. What was applied before stays.
    mutating func run() throws -> BackfillReport {
        var stretches = try plan()
        if try !stretches.isEmpty || !session.context.sources.interruptedQuestions().isEmpty {
            try session.waitForPause()
        }
        session.observer.report(.counting)
        var counts = try counts(of: stretches)
        report.estimate = BackfillEstimate(stretches, counts: counts, pause: service.interval)
        session.observer.report(.expecting(report.estimate))
        var isPlanned = !session.dryRun
        while isPlanned {
            isPlanned = false
            do {
                for (stretch, count) in zip(stretches, counts) { try ask(for: stretch, count) }
            } catch is EndOfRun {
                report.isComplete = false
            } catch is OutdatedPlan {
                isPlanned = true
                stretches = try plan()
                counts = Array(repeating: nil, count: stretches.count)
            }
        }
        if !session.dryRun, service.requests > 0 { try session.log.noteServiceAnswered(service.recordName) }
        report.isComplete = report.isComplete && report.unclaimed.isEmpty
        report.requests = service.requests
        report.token = try session.context.history.head()
        return report
    }

    private mutating func plan() throws -> [CatalogueStretch] {
        try session.context.snapshot {
            epoch = try session.context.sources.claimEpoch()
            return request.stretches(held: try session.context.sources.keptClaims(), now: session.now())
        }
    }

    /// How many quakes the stretches have. Where this run may send few requests, counting takes half of them: the other
    /// stretches are counted when their turn comes.
    private func counts(of stretches: [CatalogueStretch]) throws -> [CatalogueCount?] {
        var counts = [CatalogueCount?](repeating: nil, count: stretches.count)
        let most = session.dryRun ? .max : (session.limits.maximumRequests ?? .max) / 2
        do {
            for index in stretches.indices.prefix(most) { counts[index] = try count(stretches[index]) }
        } catch is EndOfRun {}
        return counts
    }

    private func count(_ stretch: CatalogueStretch) throws -> CatalogueCount {
        try session.patiently { service throws(FeedError) -> CatalogueCount? in try service.count(of: stretch.query) }
    }
}

// MARK: One stretch

extension Backfill {
    /// Asks for one stretch.
    ///
    /// - Parameter halvings: how often a stretch was halved to get here, because too little came.
    /// - Throws: ``EndOfRun``.
    private mutating func ask(
        for stretch: CatalogueStretch, _ known: CatalogueCount? = nil, halvings: Int = 0
    ) throws {
        // A single request that is left goes to the quakes, as if there were few: the next run counts.
        let counted = try known ?? (service.requestsLeft > 1 ? count(stretch) : nil)
        // Changes go on while they are asked for: a count is compared with one answer only.
        if stretch.purpose == .update, let counted, WindowLength.requests(counted) > 1,
            let halves = WindowLength.halves(of: stretch.originTimes)
        {
            for half in halves { try ask(for: stretch.in(half), halvings: halvings) }
            return
        }
        var fetch = StretchFetch(
            of: stretch, count: counted, fetched: request.isAgain ? [] : try fetchedWindows(in: stretch))
        // An earlier run fetched all, and was ended before it could compare.
        if let proven = fetch.proofOfFetched() { try claim(proven, of: stretch) }
        while let window = fetch.nextWindow { try ask(for: window, &fetch) }
        guard let counted else { throw EndOfRun() }
        if fetch.isProven { return noteAge(of: fetch.fetched, of: stretch, halvings: halvings) }
        for window in fetch.fetched {
            let own = fetch.fetched.count == 1 ? counted : try count(stretch.in(window.originTimes))
            if try settle(window, own, of: stretch, halvings: halvings) { continue }
            // What came of it comes again.
            report.features -= fetch.quakes[window] ?? 0
            for half in WindowLength.halves(of: window.originTimes) ?? [] {
                try ask(for: stretch.in(half), halvings: halvings + 1)
            }
        }
    }

    /// The windows of `stretch` that an earlier run fetched.
    private func fetchedWindows(in stretch: CatalogueStretch) throws -> [FetchedWindow] {
        try session.context.sources.fetchedWindows(of: stretch.query.question).filter { window in
            stretch.originTimes.lowerBound <= window.originTimes.lowerBound
                && window.originTimes.upperBound <= stretch.originTimes.upperBound
        }
    }

    /// Asks for `window`, and for less of it where that is too much.
    private mutating func ask(for window: Range<Timestamp>, _ fetch: inout StretchFetch) throws {
        guard !session.isOutOfTime else { throw EndOfRun() }
        session.observer.report(.requesting(service.address, originTimes: window))
        do {
            let applied = try session.carryOut(.window(fetch.task(for: window, epoch: epoch)))
            fetch.add(applied)
            report.add(applied)
            session.observer.report(.applied(applied))
        } catch is FullAnswer {
            fetch.halve(window)
            session.observer.report(.halving(window, .status(413, url: service.address)))
        } catch let error as FeedError where error.mostHalvings > 0 {
            let refusals = try fetch.refuse(window, because: error)
            session.observer.report(.halving(window, error))
            // A service that fails has time to recover.
            if error.mayPass { session.observer.sleep(session.pause(after: refusals)) }
        }
    }

    /// Claims a window of which as many quakes came as the service counts in it. Where fewer came, and halves would
    /// bring nothing either, it is reported and stays unclaimed. False where halves may bring more.
    private mutating func settle(
        _ window: FetchedWindow, _ counted: CatalogueCount, of stretch: CatalogueStretch, halvings: Int
    ) throws -> Bool {
        if window.features >= counted.count {
            try claim([window], of: stretch)
            noteAge(of: [window], of: stretch, halvings: halvings)
            return true
        }
        try session.context.write { try $0.forgetWindows(of: stretch.query.question, in: window.originTimes) }
        let mayHelp = halvings == 0 || window.features > 0 && halvings < WindowLength.mostHalvings
        if mayHelp, WindowLength.halves(of: window.originTimes) != nil { return false }
        note(.short(counted: counted.count, sent: window.features), of: window)
        guard report.unclaimed.count < Self.mostShortWindows else { throw EndOfRun() }
        return true
    }

    /// Notes that the answers to `stretch` in `windows`, which came before, were whole.
    private func claim(_ windows: [FetchedWindow], of stretch: CatalogueStretch) throws {
        try session.context.write { writer in
            guard try writer.claimEpoch() == epoch else { throw OutdatedPlan() }
            try writer.claim(windows, of: stretch)
        }
    }

    /// Reports whole answers that are so old that they are not claimed as they were asked for: the end of a closed
    /// window, anything of an open one, any change since the last update.
    private mutating func noteAge(of windows: [FetchedWindow], of stretch: CatalogueStretch, halvings: Int) {
        for window in windows {
            let end =
                switch stretch.purpose {
                case .update: stretch.query.updatedAfter.map { $0 + CataloguePlan.overlap } ?? window.asOf
                // The second half of what ends now may begin after the service's now.
                case .claim(isOpenEnded: true): halvings > 0 ? window.asOf : window.originTimes.lowerBound
                // No answer is about the future.
                case .claim(isOpenEnded: false): min(window.originTimes.upperBound, session.now())
                }
            if window.asOf < end - Self.clockTolerance { note(.old(asOf: window.asOf), of: window) }
        }
    }

    private mutating func note(_ reason: UnclaimedWindow.Reason, of window: FetchedWindow) {
        let unclaimed = UnclaimedWindow(originTimes: window.originTimes, reason: reason)
        report.unclaimed.append(unclaimed)
        session.observer.report(.unclaimed(unclaimed))
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
