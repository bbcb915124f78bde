import QuakeFeed
import QuakeModel
import QuakeStore

/// Asks the event service for stretches of the catalog, window by window. Each window is a task of the session.
///
/// The cache claims only what the service sent whole, and answers may be cut or stale silently. So each window
/// proves itself: the service counts it just before, and it is claimed with its quakes, in one transaction, when as
/// many come. What is short is counted again, and asked for in halves (decision 0141).
struct Backfill {
    /// A run that found that many windows short asks no more.
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

    /// Asks for what the request needs. What that is, is found out again when claims were taken back meanwhile.
    ///
    /// - Throws: ``FeedError`` when the service cannot be reached, refuses the question, fails again and again, or asks
    ///   for a long pause; ``StoreError``; `CancellationError`. What was applied before stays.
    mutating func run() throws -> BackfillReport {
        var stretches = try plan()
        if !stretches.isEmpty { try session.waitForPause() }
        session.observer.report(.counting)
        var counts = try counts(of: stretches)
        report.estimate = BackfillEstimate(stretches, counts: counts, pause: service.interval)
        session.observer.report(.expecting(report.estimate))
        var isPlanned = !session.dryRun
        while isPlanned {
            isPlanned = false
            do {
                for (stretch, count) in zip(stretches, counts) { try ask(for: stretch, count) }
                if request == .update, let read = try session.askForUnreadable(of: service) { report.add(read) }
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

    private mutating func plan() throws -> [CatalogStretch] {
        try session.context.snapshot {
            epoch = try session.context.sources.claimEpoch()
            return request.stretches(held: try session.context.sources.keptClaims(), now: session.now())
        }
    }

    /// How many quakes the stretches have. Where this run may send few requests, counting takes half of them: the other
    /// stretches are counted when their turn comes.
    private func counts(of stretches: [CatalogStretch]) throws -> [CatalogCount?] {
        var counts = [CatalogCount?](repeating: nil, count: stretches.count)
        let most = session.dryRun ? .max : (session.limits.maximumRequests ?? .max) / 2
        do {
            for index in stretches.indices.prefix(most) { counts[index] = try count(stretches[index]) }
        } catch is EndOfRun {}
        return counts
    }

    private func count(_ stretch: CatalogStretch) throws -> CatalogCount {
        try session.patiently { service throws(FeedError) -> CatalogCount? in try service.count(of: stretch.query) }
    }
}

// MARK: One stretch

extension Backfill {
    /// Asks for one stretch, window by window.
    ///
    /// - Parameter halvings: how often a stretch was halved to get here, because too little came.
    /// - Throws: ``EndOfRun``.
    private mutating func ask(
        for stretch: CatalogStretch, _ known: CatalogCount? = nil, halvings: Int = 0
    ) throws {
        var fetch = StretchFetch(of: stretch, try known ?? count(before: stretch))
        while let window = fetch.nextWindow {
            let counted = try fetch.count(of: window) ?? count(before: window)
            if fetch.halve(window, having: counted) { continue }
            guard let answered = try ask(for: window, counted, &fetch) else { continue }
            try settle(answered, counted, of: window, halvings: halvings)
        }
    }

    /// The count of `stretch`, of which a run that may not ask for its quakes has no use.
    private func count(before stretch: CatalogStretch) throws -> CatalogCount {
        guard service.requestsLeft > 1, !session.isOutOfTime else { throw EndOfRun() }
        return try count(stretch)
    }

    /// Asks for `window`, which is claimed if as many quakes come as were counted. Nil where the service refuses it, so
    /// that the next one is shorter.
    private mutating func ask(
        for window: CatalogStretch, _ counted: CatalogCount, _ fetch: inout StretchFetch
    ) throws -> BackfillWindow? {
        guard !session.isOutOfTime else { throw EndOfRun() }
        session.observer.report(.requesting(service.address, originTimes: window.originTimes))
        do {
            let applied = try session.carryOut(
                .window(WindowTask(stretch: window, counted: counted.count, epoch: epoch)))
            fetch.pass(window, features: applied.features)
            report.add(applied)
            session.observer.report(.applied(applied))
            return applied.window
        } catch let error as FeedError where error.mostHalvings > 0 {
            let refusals = try fetch.refuse(window, because: error)
            session.observer.report(.halving(window.originTimes, error))
            // A service that fails has time to recover.
            if error.mayPass { session.observer.sleep(session.pause(after: refusals)) }
            return nil
        }
    }

    /// Finds out why fewer quakes came of a window than were counted. Where the service counts no more now, they were
    /// merged, or revised out of the window, meanwhile; otherwise halves are asked for. Where these would bring nothing
    /// either, the window is reported and stays unclaimed.
    private mutating func settle(
        _ answered: BackfillWindow, _ counted: CatalogCount, of window: CatalogStretch, halvings: Int
    ) throws {
        if answered.features < counted.count {
            let recounted = try count(window)
            guard answered.features >= recounted.count else {
                return try askAgain(for: window, answered, recounted, halvings: halvings)
            }
            try session.context.write { writer in
                guard try writer.claimEpoch() == epoch else { throw OutdatedPlan() }
                try writer.claim(answered, of: window)
            }
        }
        noteAge(of: answered, in: window, halvings: halvings)
    }

    private mutating func askAgain(
        for window: CatalogStretch, _ answered: BackfillWindow, _ counted: CatalogCount, halvings: Int
    ) throws {
        let mayHelp = halvings == 0 || answered.features > 0 && halvings < WindowLength.mostHalvings
        if mayHelp, let halves = WindowLength.halves(of: window.originTimes) {
            // What came of it comes again.
            report.features -= answered.quakes
            for half in halves { try ask(for: window.in(half), halvings: halvings + 1) }
            return
        }
        note(.short(counted: counted.count, sent: answered.features), of: answered)
        guard report.unclaimed.count < Self.mostShortWindows else { throw EndOfRun() }
    }

    /// Reports a whole answer that is so old that it is not claimed as it was asked for: the end of a closed window,
    /// anything of an open one, any change since the last update.
    private mutating func noteAge(of answered: BackfillWindow, in window: CatalogStretch, halvings: Int) {
        let end =
            switch window.purpose {
            case .update: window.query.updatedAfter.map { $0 + CatalogPlan.overlap } ?? answered.asOf
            // The second half of what ends now may begin after the service's now.
            case .claim(isOpenEnded: true): halvings > 0 ? answered.asOf : window.originTimes.lowerBound
            // No answer is about the future.
            case .claim(isOpenEnded: false): min(window.originTimes.upperBound, session.now())
            }
        if answered.asOf < end - Self.clockTolerance { note(.old(asOf: answered.asOf), of: answered) }
    }

    private mutating func note(_ reason: UnclaimedWindow.Reason, of window: BackfillWindow) {
        let unclaimed = UnclaimedWindow(originTimes: window.originTimes, reason: reason)
        report.unclaimed.append(unclaimed)
        session.observer.report(.unclaimed(unclaimed))
    }
}

extension BackfillEstimate {
    fileprivate init(_ stretches: [CatalogStretch], counts: [CatalogCount?], pause: Duration) {
        originTimes = stretches.map(\.query.originTimes)
        isUpdate = stretches.allSatisfy { $0.purpose == .update }
        isComplete = counts.allSatisfy { $0 != nil }
        quakes = counts.reduce(0) { $0 + ($1?.count ?? 0) }
        requests = counts.reduce(0) { $0 + ($1.map(WindowLength.requests) ?? 1) }
        self.pause = pause
    }
}
