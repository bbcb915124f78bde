import QuakeFeed
import QuakeModel
import QuakeStore

/// Asks the event service for stretches of the catalog, window by window, each a transaction of its own.
///
/// The cache claims only what the service sent whole, and answers may be cut or stale silently. So the service counts
/// each window just before, and it is claimed if as many quakes come. What is short is counted again, and asked for in
/// halves (decision 0141).
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
    /// Why a question about a single quake was not answered. Its window is not claimed, and the others are asked for.
    private var unanswered: FeedError?
    private var report: BackfillReport

    init(_ request: BackfillRequest, by service: EventService, in session: MirrorSession) throws {
        (self.request, self.service, self.session) = (request, service, session)
        report = BackfillReport(
            BackfillEstimate([], counts: [], pause: service.interval), token: try session.context.history.head(),
            dryRun: session.dryRun)
    }

    /// Asks for what the request needs. This is determined again if claims were removed meanwhile.
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
            try noteBeginning()
            var end = try ask(for: zip(stretches, counts).map { StretchFetch(of: $0, $1) })
            while end == .outdated { end = try ask(for: plan().map { StretchFetch(of: $0) }) }
            report.isComplete = end == .finished
            let isCutShort = end == .limited && report.unclaimed.isEmpty
            if report.isComplete, request == .update {
                let (read, isComplete) = try session.askForUnreadable(of: service)
                if let read { report.add(read) }
                report.isComplete = isComplete
            }
            if service.requests > 0 { try session.log.noteServiceAnswered(service.recordName) }
            if let unanswered { throw unanswered }
            if request == .update, !isCutShort { try session.log.noteUpdate(of: service.recordName) }
        }
        report.isComplete = report.isComplete && report.unclaimed.isEmpty
        if report.isComplete { try noteEnd() }
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

    /// Notes what the cache lacks of the request, so that it can be named if this run is stopped.
    private func noteBeginning() throws {
        guard case .part(let filter, _) = request else { return }
        let missing = BackfillRequest.part(filter, again: false)
            .stretches(held: try session.context.sources.keptClaims(), now: session.now())
        _ = try session.context.write { writer in
            try writer.beginBackfill(
                of: missing.map { stretch in
                    Claim(
                        conditions: stretch.query.filter, originTimes: stretch.originTimes, asOf: filter.start,
                        isOpenEnded: filter.until == nil)
                })
        }
    }

    private func noteEnd() throws {
        guard case .part(let filter, _) = request, !session.dryRun else { return }
        let end = max(filter.start, filter.until ?? Timestamp.representable.upperBound)
        _ = try session.context.write { try $0.finishBackfill(of: filter.withoutTimes, in: filter.start..<end) }
    }

    /// How many quakes the stretches have. Where this run may send few requests, counting takes half of them: the other
    /// stretches are counted when their turn comes.
    private func counts(of stretches: [CatalogStretch]) throws -> [CatalogCount?] {
        var counts = [CatalogCount?](repeating: nil, count: stretches.count)
        let most = session.dryRun ? .max : (session.limits.maximumRequests ?? .max) / 2
        for index in stretches.indices.prefix(most) {
            counts[index] = try count(stretches[index])
            if counts[index] == nil { break }
        }
        return counts
    }

    /// How many quakes the service counts in `stretch`; nil if this run may ask no more.
    private func count(_ stretch: CatalogStretch) throws -> CatalogCount? {
        try session.patiently { service throws(FeedError) in try service.count(of: stretch.query) }
    }
}

// MARK: Window by window

extension Backfill {
    /// How the questions of a plan end.
    private enum End {
        /// All were asked.
        case finished
        /// This run may ask no more.
        case limited
        /// Claims were removed since the plan was made.
        case outdated
    }

    /// What follows from one window.
    private enum Step {
        /// The next window is asked for, those of `first` before those that are left.
        case next(first: [StretchFetch] = [])
        case end(End)
    }

    /// Asks for one window after the other.
    private mutating func ask(for stretches: [StretchFetch]) throws -> End {
        var rest = Array(stretches.reversed())
        while var fetch = rest.popLast() {
            switch try ask(&fetch) {
            case .next(let first):
                if !fetch.isFinished { rest.append(fetch) }
                rest += first.reversed()
            case .end(let end): return end
            }
        }
        return .finished
    }

    /// Asks for the next window of `fetch`, which is claimed if as many quakes come as were counted.
    private mutating func ask(_ fetch: inout StretchFetch) throws -> Step {
        if fetch.whole == nil {
            fetch.whole = try count(before: fetch.stretch)
            if fetch.whole == nil { return .end(.limited) }
        }
        let window = fetch.nextWindow
        guard let counted = try fetch.count(of: window) ?? count(before: window) else { return .end(.limited) }
        if fetch.halve(window, having: counted) { return .next() }
        guard !session.isOutOfTime else { return .end(.limited) }
        session.observer.report(.requesting(service.address, originTimes: window.originTimes))
        let asked: MirrorSession.AskedWindow
        do {
            asked = try session.ask(for: window, counted: counted.count, epoch: epoch)
        } catch let error as FeedError where error.mostHalvings > 0 {
            let refusals = try fetch.refuse(window, because: error)
            session.observer.report(.halving(window.originTimes, error))
            // A service that fails has time to recover.
            if error.mayPass { session.observer.sleep(session.pause(after: refusals)) }
            return .next()
        }
        switch asked {
        case .unasked: return .end(.limited)
        case .outdated: return .end(.outdated)
        case .applied(let applied, let answered, let open):
            fetch.pass(window, features: applied.features)
            report.add(applied)
            session.observer.report(.applied(applied))
            if let fault = applied.serviceFault {
                if case .tryLater = fault { throw fault }
                unanswered = unanswered ?? fault
                return .next()
            }
            guard applied.asked >= open else { return .end(.limited) }
            return try settle(answered, counted, of: window, wasOpen: open > 0, halvings: fetch.halvings)
        }
    }

    /// The count of `stretch`, which is of no use to a run that may not ask for its quakes.
    private func count(before stretch: CatalogStretch) throws -> CatalogCount? {
        service.requestsLeft > 1 && !session.isOutOfTime ? try count(stretch) : nil
    }

    /// Finds out why fewer quakes came of a window than were counted. Where the service counts no more now, they were
    /// merged or revised out of the window; otherwise halves are asked for, or the window is reported and stays
    /// unclaimed. One that left questions open is claimed now that they were asked. An outdated answer stays unclaimed:
    /// halves of it would be no newer.
    private mutating func settle(
        _ answered: BackfillWindow, _ counted: CatalogCount, of window: CatalogStretch, wasOpen: Bool, halvings: Int
    ) throws -> Step {
        if answered.isOutdated { return leave(.old(asOf: answered.asOf), answered) }
        let isShort = answered.features < counted.count
        if isShort {
            guard let recounted = try count(window) else { return .end(.limited) }
            if answered.features < recounted.count { return halve(window, answered, recounted, halvings: halvings) }
        }
        if isShort || wasOpen {
            let isCurrent = try session.context.write { writer in
                guard try writer.claimEpoch() == epoch else { return false }
                try writer.claim(answered, of: window)
                return true
            }.result
            guard isCurrent else { return .end(.outdated) }
        }
        noteAge(of: answered, in: window, halvings: halvings)
        return .next()
    }

    private mutating func halve(
        _ window: CatalogStretch, _ answered: BackfillWindow, _ counted: CatalogCount, halvings: Int
    ) -> Step {
        let mayHelp = halvings == 0 || answered.features > 0 && halvings < WindowLength.mostHalvings
        if mayHelp, let halves = WindowLength.halves(of: window.originTimes) {
            // What came of it comes again.
            report.features -= answered.quakes
            return .next(first: halves.map { StretchFetch(of: window.in($0), halvings: halvings + 1) })
        }
        return leave(.short(counted: counted.count, sent: answered.features), answered)
    }

    /// Leaves `window` unclaimed.
    private mutating func leave(_ reason: UnclaimedWindow.Reason, _ window: BackfillWindow) -> Step {
        note(reason, of: window)
        return report.unclaimed.count < Self.mostShortWindows ? .next() : .end(.limited)
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
