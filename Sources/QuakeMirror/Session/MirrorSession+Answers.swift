// Asks the event service about single ids, and applies its answers.
//
// A lagging server may omit a quake from so many snapshots that its absence is confirmed, but the service knows which
// quakes were deleted. A request inside a transaction would keep every other writer waiting for a server. So the
// transaction of a document records what it cannot decide, the service is queried, and a second transaction applies the
// answers. If the second transaction is lost, the next run queries the service again.
//
// Each quake is requested by its preferred id, because a deleted event may list the ids of existing quakes (decision
// 0054).

/// The event service's answers about single ids in this run.
private struct AnswersSoFar {
    /// The answers, keyed by the requested ids.
    var answers: [String: DatedAnswer<Quake>] = [:]
    /// The ids, in lowercase, that the answers have shown to belong to separate quakes.
    var separateIDs: Set<String> = []
}

extension MirrorSession {
    /// The maximum number of single ids to ask about in a run.
    static let maximumIDs = 50
    /// The number of consecutive failures after which no more requests are sent.
    private static let maximumConsecutiveFailures = 3

    /// Asks `service` about `open`, unless the service demanded a pause that is still in force, and adds the outcome to
    /// `report`.
    ///
    /// The service's pause does not delay the feeds, which come from a different server program. Feeds are often
    /// available while the service is busy.
    func resolve(_ open: UnresolvedQuakes, with service: EventService, _ report: inout RefreshReport) throws {
        let absentIDs = try open.absentKeys.compactMap { try context.unmergedQuake(forKey: $0)?.quake.id }
        let ids = Set(absentIDs + (try dueIDs(among: open.ids)))
        guard !ids.isEmpty else { return }
        observer.report(.asking(quakes: ids.count))
        var soFar = AnswersSoFar()
        report.serviceError = try sources.pause(of: service.feedRecordName, at: service.address, now: now())
        if report.serviceError == nil { report.serviceError = try askAbout(ids, service, &soFar, &report) }
        if let fault = report.serviceError {
            try sources.recordPause(fault, of: service.feedRecordName)
            if !observer.isCancelled { try sources.recordFailure(fault, of: service.feedRecordName, at: now()) }
        } else {
            try sources.recordServiceResponse(of: service.feedRecordName)
        }
    }

    /// Asks the event service about the ids in question (``/QuakeStore/IDInQuestion``) that are due, including ids that
    /// are in question only because of these answers: at most 50 in all. The id of an unreadable feature stays in
    /// question until the feature can be read or is deleted. A quake without an answer is left unchanged.
    ///
    /// - Parameter name: the purpose to record in the history.
    /// - Returns: the report, and whether all due ids were requested; nil if no ids are due.
    func askAboutIDs(
        of service: EventService, for name: String
    ) throws -> (report: RefreshReport, isComplete: Bool)? {
        var report = RefreshReport(.applied, feed: name, source: service.address, dryRun: dryRun)
        var soFar = AnswersSoFar()
        var due = try dueIDs()
        guard !due.isEmpty else { return nil }
        while !due.isEmpty, soFar.answers.count < Self.maximumIDs {
            if let fault = try askAbout(Set(due), service, &soFar, &report) {
                report.serviceError = fault
                return (report, false)
            }
            let unanswered = due.contains { soFar.answers[$0] == nil }
            due = try dueIDs().filter { soFar.answers[$0] == nil }
            if unanswered { break }
        }
        return (report, due.isEmpty)
    }

    /// Asks about the ids in question after the service has reported its deletions. Returns `report` with the outcome
    /// added; without a `report`, the outcome alone, or nil if no ids are due.
    func askAboutIDs(of service: EventService, after report: RefreshReport?) throws -> RefreshReport? {
        guard let (asked, _) = try askAboutIDs(of: service, for: "deletions") else { return report }
        if let fault = asked.serviceError { throw fault }
        guard var report else { return asked }
        report.add(asked)
        return report
    }

    /// Returns the ids in question that are due; if `ids` is not nil, only those among `ids`.
    func dueIDs(among ids: [String]? = nil) throws -> [String] {
        let now = now()
        let due = try sources.idsInQuestion().filter { $0.isDue(at: now) }.map(\.id)
        guard let ids else { return due }
        let wanted = Set(ids.map { $0.lowercased() })
        return due.filter { wanted.contains($0.lowercased()) }
    }

    /// Requests `ids` and applies the answers, along with earlier answers about ids that are still in question. Some
    /// answers are missing if the service failed, or if this run may send no more requests. Each call starts with a
    /// different id, so that requests that always fail do not block the others in every run.
    ///
    /// - Returns: the service's failure; nil if there was none.
    private func askAbout(
        _ ids: Set<String>, _ service: EventService, _ soFar: inout AnswersSoFar, _ report: inout RefreshReport
    ) throws -> FeedError? {
        let open = try soFar.answers.isEmpty ? [] : dueIDs()
        let waiting = soFar.answers.filter { open.contains($0.key) }
        let turn = try now().milliseconds / 1000 + context.history.currentToken().number.rawValue
        let sorted = ids.sorted()
        let start = Int(turn.magnitude % UInt64(sorted.count))
        let (answers, fault) = requestAnswers(
            (sorted[start...] + sorted[..<start]).prefix(Self.maximumIDs - soFar.answers.count), of: service)
        report.asked += answers.count
        soFar.answers.merge(answers) { $1 }
        try applyAnswers(answers.merging(waiting) { $1 }, of: service, &soFar, &report)
        return fault
    }

    private func requestAnswers(
        _ ids: ArraySlice<String>, of service: EventService
    ) -> (answers: [String: DatedAnswer<Quake>], fault: FeedError?) {
        var answers: [String: DatedAnswer<Quake>] = [:]
        var fault: FeedError?
        var failures = 0
        do throws(FeedError) {
            for id in ids {
                guard failures < MirrorSession.maximumConsecutiveFailures, !isOutOfTime else { break }
                do throws(FeedError) {
                    guard let answer = try service.ask(about: id) else { break }
                    try requirePlausible(answer.date, of: service)
                    answers[id] = answer
                    failures = 0
                } catch let error where error.settlesNothing {
                    answers[id] = DatedAnswer(answer: .unsettled, date: nil)
                } catch let error where error.isOfThisRequestAlone {
                    fault = fault ?? error
                    failures += 1
                }
            }
            return (answers, fault)
        } catch {
            return (answers, error)
        }
    }

    /// Applies the answers in one transaction.
    private func applyAnswers(
        _ answers: [String: DatedAnswer<Quake>], of service: EventService, _ soFar: inout AnswersSoFar,
        _ report: inout RefreshReport
    ) throws {
        guard !answers.isEmpty else { return }
        let now = now()
        let newest = answers.values.compactMap(\.date).max() ?? now
        let origin = TransactionOrigin(
            purpose: report.feed,
            provenance: HistoryTransaction.Provenance(
                url: service.address, generated: newest, etag: nil, featureCount: 1))
        let outcome = try context.write(origin) { [report, separateIDs = soFar.separateIDs] writer in
            var application = AnswerApplication(
                settings: settings, writer: writer, now: now, report: report, separateIDs: separateIDs)
            try application.run(answers)
            return application
        }
        report = outcome.result.report
        soFar.separateIDs = outcome.result.separateIDs
        report.transaction = report.transaction ?? outcome.transaction
        report.token = try context.history.currentToken()
    }
}

extension FeedError {
    /// Whether the service answered, but repeating the request would not help.
    fileprivate var settlesNothing: Bool {
        switch self {
        case .status(let status, _): [400, 413, 414].contains(status)
        case .document(let error, _): error.kind != .broken
        case .transport(let error): error.kind == .bodyTooLarge
        default: false
        }
    }
}
