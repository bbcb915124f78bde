/// Requests stretches of the catalog from the event service, window by window, each in its own transaction.
///
/// Responses may be silently truncated or stale. So the service counts each window's quakes just before the request,
/// and the window is claimed (recorded as covered) only if the response contains that many; otherwise its halves are
/// requested (decision 0141). Unresolved ids are requested last.
struct Backfill {
    /// The number of incomplete windows after which a run stops.
    private static let mostIncompleteWindows = 10
    /// The largest difference expected between two clocks.
    private static let clockTolerance = Duration.seconds(3_600)

    private let session: MirrorSession
    private let service: EventService
    private let request: BackfillRequest
    private var report: BackfillReport
    /// Whether an update held features back, so that it removed their days from the coverage.
    private var hasHeldBack = false

    init(_ request: BackfillRequest, by service: EventService, in session: MirrorSession) throws {
        self.request = request
        self.service = service
        self.session = session
        report = BackfillReport(
            BackfillEstimate([], counts: [], pause: service.interval), token: try session.context.history.head(),
            dryRun: session.dryRun)
    }

    /// Runs the backfill.
    ///
    /// - Throws: ``FeedError`` when the service cannot be reached, rejects the request, keeps failing, returns no
    ///   answer about a single quake, or demands a long pause; ``StoreError``; `CancellationError`. Anything already
    ///   applied is kept.
    mutating func run() throws -> BackfillReport {
        let stretches = try plan()
        if !stretches.isEmpty { try session.waitForPause() }
        session.observer.report(.counting)
        let counts = try counts(of: stretches)
        report.estimate = BackfillEstimate(stretches, counts: counts, pause: service.interval)
        session.observer.report(.expecting(report.estimate))
        if !session.dryRun {
            try noteRequest()
            report.isComplete = try ask(for: zip(stretches, counts).map { RangeFetch(of: $0, $1) })
            if report.isComplete, hasHeldBack { report.isComplete = try fetchUncoveredDays() }
            let isCutShort = !report.isComplete && report.incompleteWindows.isEmpty
            if report.isComplete { report.isComplete = try askAboutIDs() }
            if service.requests > 0 { try session.log.noteServiceAnswered(service.recordName) }
            if request == .update, !isCutShort { try session.log.noteUpdate(of: service.recordName) }
        }
        report.stoppedEarly = !report.isComplete
        report.isComplete = report.isComplete && report.incompleteWindows.isEmpty
        report.requests = service.requests
        report.token = try session.context.history.head()
        return report
    }

    private func plan() throws -> [CatalogRange] {
        let coverage = try session.context.sources.coverage()
        return try request.stretches(coverage, now: session.now(), quakes: cachedCount)
    }

    private func cachedCount(_ filter: QuakeFilter) throws -> Int { try session.context.fetchCount(filter) }

    /// Records the request, so that later updates fetch what this run leaves out.
    private func noteRequest() throws {
        guard case .part(let filter, _) = request else { return }
        let end = max(filter.start, filter.until ?? Coverage.forever)
        _ = try session.context.write { writer in
            try writer.changeCoverage { $0.request(filter.withoutTimes, in: filter.start..<end) }
        }
    }

    /// Requests the days that the update removed from the coverage, whose complete responses decide about the features
    /// that were held back. Returns false if this run may not send enough requests.
    private mutating func fetchUncoveredDays() throws -> Bool {
        let coverage = try session.context.sources.coverage()
        let missing = try CatalogPlan.missing(of: coverage, now: session.now(), quakes: cachedCount)
        return try ask(for: missing.map { RangeFetch(of: $0) })
    }

    /// Requests the ids in question. Returns false if this run may not send enough requests.
    private mutating func askAboutIDs() throws -> Bool {
        guard let (asked, isComplete) = try session.askAboutIDs(of: service, for: "catalog") else { return true }
        report.add(asked)
        if let fault = asked.serviceError { throw fault }
        return isComplete
    }

    /// Counts the quakes in each stretch. If the requests or the time are limited, counting uses at most half of them,
    /// and the remaining stretches are counted just before they are requested.
    private func counts(of stretches: [CatalogRange]) throws -> [CatalogCount?] {
        var counts = [CatalogCount?](repeating: nil, count: stretches.count)
        let most = session.dryRun ? .max : (session.limits.maximumRequests ?? .max) / 2
        for index in stretches.indices.prefix(most) {
            counts[index] = try count(stretches[index])
            if counts[index] == nil || session.hasUsedHalfItsTime { break }
        }
        return counts
    }

    /// Returns the service's count for `stretch`; nil if this run may send no more requests.
    private func count(_ stretch: CatalogRange) throws -> CatalogCount? {
        try session.patiently { service throws(FeedError) in try service.count(of: stretch.query) }
    }
}

// MARK: Window by window

extension Backfill {
    /// Requests one window after another. Returns false if this run has reached a limit before the end. A range that
    /// the service rejects does not keep it from the others; its error is thrown at the end.
    private mutating func ask(for stretches: [RangeFetch]) throws -> Bool {
        var rest = Array(stretches.reversed())
        var rejection: FeedError?
        while var fetch = rest.popLast() {
            do {
                guard let first = try ask(&fetch) else { return false }
                if !fetch.isFinished { rest.append(fetch) }
                rest += first.reversed()
            } catch let error as FeedError where error.isRejection {
                rejection = rejection ?? error
            }
        }
        if let rejection { throw rejection }
        return true
    }

    /// Requests the next window of `fetch`, which counts as covered if exactly the counted number of quakes arrives.
    /// Returns the windows to request next; nil if this run has reached a limit.
    private mutating func ask(_ fetch: inout RangeFetch) throws -> [RangeFetch]? {
        if fetch.whole == nil {
            fetch.whole = try count(before: fetch.stretch)
            if fetch.whole == nil { return nil }
        }
        let window = fetch.nextWindow
        guard let counted = try fetch.count(of: window) ?? count(before: window) else { return nil }
        if fetch.halve(window, having: counted) { return [] }
        guard !session.isOutOfTime else { return nil }
        session.observer.report(.requesting(service.address, originTimes: window.originTimes))
        let applied: RefreshReport?
        do {
            applied = try session.ask(for: window, counted: counted.count)
        } catch let error as FeedError where error.mostHalvings > 0 {
            let refusals = try fetch.refuse(window, because: error)
            session.observer.report(.halving(window.originTimes, error))
            // Give a failing service time to recover.
            if error.mayPass { session.observer.sleep(session.pause(after: refusals)) }
            return []
        }
        guard let applied, let answered = applied.window else { return nil }
        fetch.pass(window, features: answered.features)
        report.add(applied)
        hasHeldBack = hasHeldBack || answered.isUpdate && applied.waiting > 0
        session.observer.report(.applied(applied))
        // Responses for the halves would be just as outdated.
        if answered.isOutdated { return leave(.outdated(asOf: answered.asOf), answered) }
        if answered.features != counted.count { return halve(window, answered, counted, halvings: fetch.halvings) }
        noteAge(of: answered, in: window, halvings: fetch.halvings)
        return []
    }

    /// Counts `stretch`, unless no request would be left to fetch its quakes.
    private func count(before stretch: CatalogRange) throws -> CatalogCount? {
        service.requestsLeft > 1 && !session.isOutOfTime ? try count(stretch) : nil
    }

    /// Requests the halves of a window whose response contained fewer or more quakes than were counted. An empty
    /// response, or a window already halved too often, is reported instead.
    private mutating func halve(
        _ window: CatalogRange, _ answered: BackfillWindow, _ counted: CatalogCount, halvings: Int
    ) -> [RangeFetch]? {
        let mayHelp = halvings == 0 || answered.features > 0 && halvings < WindowLength.mostHalvings
        if mayHelp, let halves = WindowLength.halves(of: window.originTimes) {
            // The quakes of this window will arrive again with its halves.
            report.features -= answered.quakes
            return halves.map { RangeFetch(of: window.in($0), halvings: halvings + 1) }
        }
        return leave(.countMismatch(counted: counted.count, sent: answered.features), answered)
    }

    /// Leaves `window` uncovered.
    private mutating func leave(_ reason: IncompleteWindow.Reason, _ window: BackfillWindow) -> [RangeFetch]? {
        note(reason, of: window)
        return report.incompleteWindows.count < Self.mostIncompleteWindows ? [] : nil
    }

    /// Reports a complete response that is too old to cover everything requested: it predates the end of a closed
    /// window, the start of an open window, or the last update.
    private mutating func noteAge(of answered: BackfillWindow, in window: CatalogRange, halvings: Int) {
        let end =
            switch window.purpose {
            case .update: window.query.updatedAfter.map { $0 + CatalogPlan.overlap } ?? answered.asOf
            // The second half of a window that ends now may begin after the present time by the service's clock.
            case .coverage(isOpenEnded: true): halvings > 0 ? answered.asOf : window.originTimes.lowerBound
            // No response covers the future.
            case .coverage(isOpenEnded: false): min(window.originTimes.upperBound, session.now())
            }
        if answered.asOf < end - Self.clockTolerance { note(.outdated(asOf: answered.asOf), of: answered) }
    }

    private mutating func note(_ reason: IncompleteWindow.Reason, of window: BackfillWindow) {
        let incomplete = IncompleteWindow(originTimes: window.originTimes, reason: reason)
        report.incompleteWindows.append(incomplete)
        session.observer.report(.incomplete(incomplete))
    }
}

extension FeedError {
    /// Whether the service understood the request but does not serve it.
    fileprivate var isRejection: Bool {
        if case .status(let status, _) = self { (400...499).contains(status) } else { false }
    }
}

extension BackfillEstimate {
    fileprivate init(_ stretches: [CatalogRange], counts: [CatalogCount?], pause: Duration) {
        originTimes = stretches.map(\.query.originTimes)
        isUpdate = stretches.allSatisfy { $0.purpose == .update }
        isComplete = counts.allSatisfy { $0 != nil }
        quakes = counts.reduce(0) { $0 + ($1?.count ?? 0) }
        requests = counts.reduce(0) { $0 + ($1.map(WindowLength.requests) ?? 1) }
        self.pause = pause
    }
}
