/// Requests ranges of the catalog from the event service, window by window, and applies each window in its own
/// transaction.
///
/// Responses may be silently truncated or stale. So the service counts each window's quakes just before the request,
/// and the window is recorded as covered only if the response contains that many quakes; otherwise, the halves of the
/// window are requested (decision 0141). Last, the service is asked about the ids in question
/// (``/QuakeStore/IDInQuestion``).
struct Backfill {
    /// The number of incomplete windows after which a run stops.
    private static let maximumIncompleteWindows = 10
    /// The largest difference expected between two clocks.
    private static let clockTolerance = Duration.seconds(3_600)

    private let session: MirrorSession
    private let service: EventService
    private let request: BackfillRequest
    private var report: BackfillReport
    /// Whether an update held features back and therefore removed their days from the coverage.
    private var hasWithheldDays = false

    /// Fetches the quakes for `request` within the limits of `session`. The session must have an event service.
    ///
    /// - Throws: ``FeedError`` when the service cannot be reached, rejects the request, keeps failing, returns no
    ///   answer about a single quake, or demands a long pause; ``/QuakeStore/StoreError`` when the cache fails; and
    ///   `CancellationError`. Anything already applied is kept.
    static func run(_ request: BackfillRequest, in session: MirrorSession) throws -> BackfillReport {
        guard let service = session.service else {
            preconditionFailure("a session for a backfill has an event service")
        }
        return try session.recordingFailures(of: service.feedRecordName) {
            var backfill = try Backfill(request, by: service, in: session)
            return try backfill.run()
        }
    }

    private init(_ request: BackfillRequest, by service: EventService, in session: MirrorSession) throws {
        self.request = request
        self.service = service
        self.session = session
        report = BackfillReport(
            BackfillEstimate([], counts: [], pause: service.interval),
            token: try session.context.history.currentToken(),
            dryRun: session.dryRun)
    }

    private mutating func run() throws -> BackfillReport {
        let ranges = try plan()
        if !ranges.isEmpty { try session.waitForPause() }
        session.observer.report(.counting)
        let counts = try counts(of: ranges)
        report.estimate = BackfillEstimate(ranges, counts: counts, pause: service.interval)
        session.observer.report(.expecting(report))
        if !session.dryRun {
            try recordRequest()
            report.isComplete = try fetch(zip(ranges, counts).map { RangeProgress(of: $0, $1) })
            if report.isComplete, hasWithheldDays { report.isComplete = try fetchUncoveredDays() }
            let isCutShort = !report.isComplete && report.incompleteWindows.isEmpty
            if report.isComplete { report.isComplete = try askAboutIDs() }
            if service.requests > 0 { try session.sources.recordServiceResponse(of: service.feedRecordName) }
            if request.kind == .update, !isCutShort {
                try session.sources.recordUpdate(of: service.feedRecordName, at: session.now())
            }
        }
        if let refusal = service.refusalOfCSV { throw refusal }
        report.stoppedEarly = !report.isComplete
        report.isComplete = report.isComplete && report.incompleteWindows.isEmpty
        report.requests = service.requests
        report.token = try session.context.history.currentToken()
        return report
    }

    private func plan() throws -> [RequestedRange] {
        let coverage = try session.sources.coverage()
        return try request.ranges(coverage, now: session.now(), quakes: cachedCount)
    }

    private func cachedCount(_ filter: QuakeFilter) throws -> Int { try session.context.fetchCount(filter) }

    /// Records the request, so that later updates fetch what this run leaves out.
    private func recordRequest() throws {
        guard request.extendsUpdates else { return }
        _ = try session.context.write { writer in try writer.changeCoverage(request.record) }
    }

    /// Requests the days that the update removed from the coverage. The complete responses for these days decide about
    /// the features that were held back. Returns false if this run has reached a limit before the end.
    private mutating func fetchUncoveredDays() throws -> Bool {
        let coverage = try session.sources.coverage()
        let missing = try CatalogPlan.missingRanges(of: coverage, now: session.now(), quakes: cachedCount)
        return try fetch(missing.map { RangeProgress(of: $0) })
    }

    /// Asks the event service about the ids in question. Returns false if this run ended before all of these ids were
    /// requested.
    private mutating func askAboutIDs() throws -> Bool {
        guard let (asked, isComplete) = try session.askAboutIDs(of: service, for: "catalog") else { return true }
        report.add(asked)
        if let fault = asked.serviceError { throw fault }
        return isComplete
    }

    /// Counts the quakes in each range. If the requests or the time are limited, counting uses at most half of either
    /// and leaves enough requests for a window; the remaining ranges are counted just before they are requested.
    private func counts(of ranges: [RequestedRange]) throws -> [CatalogCount?] {
        var counts = [CatalogCount?](repeating: nil, count: ranges.count)
        let limit = session.dryRun ? .max : session.limits.maximumRequests ?? .max
        let window = 1 + (ranges.map(\.requestsPerWindow).max() ?? 0)
        for index in ranges.indices.prefix(max(0, min(limit / 2, limit - window))) {
            counts[index] = try count(ranges[index])
            if counts[index] == nil || session.hasUsedHalfItsTime { break }
        }
        return counts
    }

    /// Returns the service's count for `range`; nil if this run may send no more requests.
    private func count(_ range: RequestedRange) throws -> CatalogCount? {
        try session.retrying { service throws(FeedError) in try service.count(of: range.query) }
    }
}

// MARK: Window by window

extension Backfill {
    /// Requests one window after another. Returns false if this run has reached a limit before the end. If the service
    /// rejects a range, the later ranges are still requested; the first rejection is thrown at the end.
    private mutating func fetch(_ ranges: [RangeProgress]) throws -> Bool {
        var rest = Array(ranges.reversed())
        var rejection: FeedError?
        while var progress = rest.popLast() {
            do {
                guard let first = try fetchWindow(of: &progress) else { return false }
                if !progress.isFinished { rest.append(progress) }
                rest += first.reversed()
            } catch let error as FeedError where error.isRejection {
                rejection = rejection ?? error
            }
        }
        if let rejection { throw rejection }
        return true
    }

    /// Requests the next window of a range, which counts as covered if exactly the counted number of quakes arrives.
    /// Returns the windows to request next; nil if this run has reached a limit or had too many incomplete windows.
    private mutating func fetchWindow(of progress: inout RangeProgress) throws -> [RangeProgress]? {
        if progress.totalCount == nil {
            progress.totalCount = try count(before: progress.range)
            if progress.totalCount == nil { return nil }
        }
        let window = progress.nextWindow
        guard let counted = try progress.count(of: window) ?? count(before: window) else { return nil }
        if progress.halve(window, having: counted) { return [] }
        guard !session.isOutOfTime else { return nil }
        session.observer.report(.requesting(service.address, originTimes: window.originTimes))
        let applied: RefreshReport?
        do {
            applied = try session.fetch(window, counted: counted.count)
        } catch let error as FeedError where error.maximumHalvings > 0 {
            let refusals = try progress.recordRejection(of: window, because: error)
            session.observer.report(.halving(window.originTimes, error))
            // Give a failing service time to recover.
            if error.isTransient { session.observer.sleep(session.pause(after: refusals)) }
            return []
        }
        guard let applied, let answered = applied.window else { return nil }
        progress.finish(window, features: answered.features)
        report.add(applied)
        hasWithheldDays = hasWithheldDays || answered.isUpdate && applied.waiting > 0
        session.observer.report(.applied(applied))
        guard let reason = answered.incomplete else {
            checkAge(of: answered, in: window, halvings: progress.halvings)
            return []
        }
        if reason.mayDifferInHalves, let halves = halves(of: window, answered, halvings: progress.halvings) {
            return halves
        }
        addIncomplete(reason, answered)
        return report.incompleteWindows.count < Self.maximumIncompleteWindows ? [] : nil
    }

    /// Counts `range`. Returns nil if too few requests would be left to fetch its quakes, or if the time is up.
    private func count(before range: RequestedRange) throws -> CatalogCount? {
        service.requestsLeft > range.requestsPerWindow && !session.isOutOfTime ? try count(range) : nil
    }

    /// Returns the halves of a window whose response did not contain as many quakes as were counted. Returns nil if the
    /// window cannot be halved again, or if it is itself a half and its response was empty.
    private mutating func halves(
        of window: RequestedRange, _ answered: BackfillWindow, halvings: Int
    ) -> [RangeProgress]? {
        let mayHelp = halvings == 0 || answered.features > 0 && halvings < WindowLength.maximumHalvings
        guard mayHelp, let halves = WindowLength.halves(of: window.originTimes) else { return nil }
        // The quakes of this window will arrive again with its halves.
        report.features -= answered.quakes
        return halves.map { RangeProgress(of: window.window($0), halvings: halvings + 1) }
    }

    /// Reports a complete response that is too old to cover everything requested: it is more than an hour older than
    /// the end of a closed window, the start of an open-ended window, or the last update.
    private mutating func checkAge(of answered: BackfillWindow, in window: RequestedRange, halvings: Int) {
        let end =
            switch window.purpose {
            case .update: window.query.updatedAfter.map { $0 + RequestedRange.overlap } ?? answered.asOf
            // If the service's clock is behind, the second half of a window that ends now may start in the service's
            // future.
            case .coverage(isOpenEnded: true): halvings > 0 ? answered.asOf : window.originTimes.lowerBound
            // No response covers the future.
            case .coverage(isOpenEnded: false): min(window.originTimes.upperBound, session.now())
            }
        if answered.asOf < end - Self.clockTolerance { addIncomplete(.outdated(asOf: answered.asOf), answered) }
    }

    private mutating func addIncomplete(_ reason: IncompleteWindow.Reason, _ window: BackfillWindow) {
        let incomplete = IncompleteWindow(originTimes: window.originTimes, reason: reason)
        report.incompleteWindows.append(incomplete)
        session.observer.report(.incomplete(incomplete))
    }
}

extension FeedError {
    /// Whether the service rejected the request with a status from 400 to 499.
    fileprivate var isRejection: Bool {
        if case .status(let status, _) = self { (400...499).contains(status) } else { false }
    }
}

extension IncompleteWindow.Reason {
    /// Whether the responses for the halves of the window may be complete. The responses for the halves of an outdated
    /// window would be just as outdated.
    fileprivate var mayDifferInHalves: Bool { if case .countMismatch = self { true } else { false } }
}

extension BackfillEstimate {
    fileprivate init(_ ranges: [RequestedRange], counts: [CatalogCount?], pause: Duration) {
        originTimes = ranges.map(\.query.originTimes)
        isUpdate = ranges.allSatisfy { $0.purpose == .update }
        isComplete = counts.allSatisfy { $0 != nil }
        let parts = zip(ranges, counts)
        quakes = counts.reduce(0) { $0 + ($1?.count ?? 0) }
        uncertainties = parts.reduce(0) { $0 + ($1.0.hasUncertainties ? $1.1?.count ?? 0 : 0) }
        requests = parts.reduce(0) { $0 + $1.0.requestsPerWindow * ($1.1.map(WindowLength.requests) ?? 1) }
        self.pause = pause
    }
}
