/// Asks the event service for stretches of the catalog, window by window, each a transaction of its own.
///
/// The cache claims only what the service sent whole, and answers may be cut or stale silently. So the service counts
/// each window just before, and it is claimed if as many quakes come. Otherwise its halves are asked for (decision
/// 0141). Ids that are left in question are asked about in the end.
struct Backfill {
    /// A run that found that many windows short asks no more.
    private static let mostShortWindows = 10
    /// Clocks differ by less than this.
    private static let clockTolerance = Duration.seconds(3_600)

    private let session: MirrorSession
    private let service: EventService
    private let request: BackfillRequest
    private var report: BackfillReport
    /// The newest moment of an answer. Answers about single ids are dated by it: this machine's clock may be fast.
    private var newest: Timestamp?

    init(_ request: BackfillRequest, by service: EventService, in session: MirrorSession) throws {
        (self.request, self.service, self.session) = (request, service, session)
        report = BackfillReport(
            BackfillEstimate([], counts: [], pause: service.interval), token: try session.context.history.head(),
            dryRun: session.dryRun)
    }

    /// Asks for what the request needs.
    ///
    /// - Throws: ``FeedError`` when the service cannot be reached, refuses the question, fails again and again, did not
    ///   answer about a single quake, or asks for a long pause; ``StoreError``; `CancellationError`. What was applied
    ///   before stays.
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
            let isCutShort = !report.isComplete && report.unclaimed.isEmpty
            if report.isComplete { report.isComplete = try askQuestions() }
            if service.requests > 0 { try session.log.noteServiceAnswered(service.recordName) }
            if request == .update, !isCutShort { try session.log.noteUpdate(of: service.recordName) }
        }
        report.isComplete = report.isComplete && report.unclaimed.isEmpty
        report.requests = service.requests
        report.token = try session.context.history.head()
        return report
    }

    private func plan() throws -> [CatalogRange] {
        request.stretches(try session.context.sources.coverage(), now: session.now())
    }

    /// Notes what is asked for: updates fetch what this run leaves of it.
    private func noteRequest() throws {
        guard case .part(let filter, _) = request else { return }
        let end = max(filter.start, filter.until ?? Coverage.forever)
        _ = try session.context.write { try $0.ask(for: filter.withoutTimes, in: filter.start..<end) }
    }

    /// Asks about the ids that are in question. False if this run may not ask about all of them.
    private mutating func askQuestions() throws -> Bool {
        let moment = newest ?? session.now()
        guard let (asked, isComplete) = try session.askQuestions(of: service, asOf: moment) else { return true }
        report.add(asked)
        if let fault = asked.serviceFault { throw fault }
        return isComplete
    }

    /// How many quakes the stretches have. Where this run may send few requests, counting takes half of them: the other
    /// stretches are counted when their turn comes.
    private func counts(of stretches: [CatalogRange]) throws -> [CatalogCount?] {
        var counts = [CatalogCount?](repeating: nil, count: stretches.count)
        let most = session.dryRun ? .max : (session.limits.maximumRequests ?? .max) / 2
        for index in stretches.indices.prefix(most) {
            counts[index] = try count(stretches[index])
            if counts[index] == nil { break }
        }
        return counts
    }

    /// How many quakes the service counts in `stretch`; nil if this run may ask no more.
    private func count(_ stretch: CatalogRange) throws -> CatalogCount? {
        try session.patiently { service throws(FeedError) in try service.count(of: stretch.query) }
    }
}

// MARK: Window by window

extension Backfill {
    /// What follows from one window.
    private enum Step {
        /// The next window is asked for, those of `first` before those that are left.
        case next(first: [RangeFetch] = [])
        /// This run may ask no more.
        case limited
    }

    /// Asks for one window after the other. False if this run may not ask for all.
    private mutating func ask(for stretches: [RangeFetch]) throws -> Bool {
        var rest = Array(stretches.reversed())
        while var fetch = rest.popLast() {
            guard case .next(let first) = try ask(&fetch) else { return false }
            if !fetch.isFinished { rest.append(fetch) }
            rest += first.reversed()
        }
        return true
    }

    /// Asks for the next window of `fetch`, which is claimed if exactly as many quakes come as were counted.
    private mutating func ask(_ fetch: inout RangeFetch) throws -> Step {
        if fetch.whole == nil {
            fetch.whole = try count(before: fetch.stretch)
            if fetch.whole == nil { return .limited }
        }
        let window = fetch.nextWindow
        guard let counted = try fetch.count(of: window) ?? count(before: window) else { return .limited }
        if fetch.halve(window, having: counted) { return .next() }
        guard !session.isOutOfTime else { return .limited }
        session.observer.report(.requesting(service.address, originTimes: window.originTimes))
        let applied: RefreshReport?
        do {
            applied = try session.ask(for: window, counted: counted.count)
        } catch let error as FeedError where error.mostHalvings > 0 {
            let refusals = try fetch.refuse(window, because: error)
            session.observer.report(.halving(window.originTimes, error))
            // A service that fails has time to recover.
            if error.mayPass { session.observer.sleep(session.pause(after: refusals)) }
            return .next()
        }
        guard let applied, let answered = applied.window else { return .limited }
        fetch.pass(window, features: applied.features)
        report.add(applied)
        newest = max(newest ?? answered.asOf, answered.asOf)
        session.observer.report(.applied(applied))
        // Halves of an outdated answer would be no newer.
        if answered.isOutdated { return leave(.old(asOf: answered.asOf), answered) }
        if answered.features != counted.count { return halve(window, answered, counted, halvings: fetch.halvings) }
        noteAge(of: answered, in: window, halvings: fetch.halvings)
        return .next()
    }

    /// The count of `stretch`, which is of no use to a run that may not ask for its quakes.
    private func count(before stretch: CatalogRange) throws -> CatalogCount? {
        service.requestsLeft > 1 && !session.isOutOfTime ? try count(stretch) : nil
    }

    /// Asks for the halves of a window of which fewer or more quakes came than were counted; one that has none, or
    /// after too many halvings, is reported.
    private mutating func halve(
        _ window: CatalogRange, _ answered: BackfillWindow, _ counted: CatalogCount, halvings: Int
    ) -> Step {
        let mayHelp = halvings == 0 || answered.features > 0 && halvings < WindowLength.mostHalvings
        if mayHelp, let halves = WindowLength.halves(of: window.originTimes) {
            // What came of it comes again.
            report.features -= answered.quakes
            return .next(first: halves.map { RangeFetch(of: window.in($0), halvings: halvings + 1) })
        }
        return leave(.short(counted: counted.count, sent: answered.features), answered)
    }

    /// Leaves `window` unclaimed.
    private mutating func leave(_ reason: UnclaimedWindow.Reason, _ window: BackfillWindow) -> Step {
        note(reason, of: window)
        return report.unclaimed.count < Self.mostShortWindows ? .next() : .limited
    }

    /// Reports a whole answer that is so old that it is not claimed as it was asked for: the end of a closed window,
    /// anything of an open one, any change since the last update.
    private mutating func noteAge(of answered: BackfillWindow, in window: CatalogRange, halvings: Int) {
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
    fileprivate init(_ stretches: [CatalogRange], counts: [CatalogCount?], pause: Duration) {
        originTimes = stretches.map(\.query.originTimes)
        isUpdate = stretches.allSatisfy { $0.purpose == .update }
        isComplete = counts.allSatisfy { $0 != nil }
        quakes = counts.reduce(0) { $0 + ($1?.count ?? 0) }
        requests = counts.reduce(0) { $0 + ($1.map(WindowLength.requests) ?? 1) }
        self.pause = pause
    }
}
