// Once a day, the event service is asked which quakes it has deleted lately.
//
// Feeds merely omit a deleted quake, and the longer feeds are fetched so rarely that an older quake leaves them before
// six snapshots lack it. The service knows each deletion, and one small response contains them all (decision 0054).

/// Asks which quakes the event service has deleted that happened up to 31 days before its last answer, unless the daily
/// update of backfilled parts includes them, and about the ids in question.
struct DeletionInquiry: DailyRequest {
    /// The age up to which quakes are looked up: the period of the longest feed, and a day.
    private static let reach = FeedName.Period.month.window + .seconds(86_400)

    func isDue(by mirror: FeedMirror, in context: QuakeContext, now: Timestamp) throws -> Bool {
        guard let service = mirror.service else { return false }
        // Any complete feed stands for the others, which are at the same endpoint.
        guard mirror.serviceScope.includes(.allDay, at: mirror.endpoint) else { return false }
        let record = try context.sources.feed(named: EventService.deletionsRecordName(of: service))
        return RefreshSchedule.isDailyRequestDue(record, now: now)
    }

    func send(by mirror: FeedMirror, _ observer: MirrorObserver) throws -> DailyReport? {
        try mirror.session(observer: observer) { session in
            try session.askForDeletions(reach: Self.reach).map { .deletions($0) }
        }
    }
}

extension MirrorSession {
    /// - Parameter reach: the age up to which quakes are looked up.
    fileprivate func askForDeletions(reach: Duration) throws -> RefreshReport? {
        guard let service else { return nil }
        let name = service.deletionsRecordName
        let backfilled = try context.sources.coverage().backfilledTimes
        return try noting(failuresOf: name) { () -> RefreshReport? in
            do {
                // What was missed while the service failed is made up for, although its quakes are older by now.
                let last = try log.record(of: name).sourceTime
                let start = min(last ?? now(), now()) - reach
                let days = RangeSet(start..<now() - .seconds(2 * 86_400))
                let report =
                    days.subtracting(backfilled).isEmpty
                    ? nil : try deletions(by: service, since: last, originTimesFrom: start)
                try log.noteDeletions(in: name, until: report?.generated)
                // The daily update of backfills asks about the other ids in question.
                return try backfilled.isEmpty ? askAboutIDs(of: service, after: report) : report
            } catch let error as FeedError {
                try log.notePause(error, of: service.recordName)
                // A service that does not report its deletions can still answer about single ids.
                if case .status = error, backfilled.isEmpty { _ = try askAboutIDs(of: service, after: nil) }
                throw error
            }
        }
    }

    private func deletions(
        by service: EventService, since last: Timestamp?, originTimesFrom start: Timestamp
    ) throws -> RefreshReport? {
        // Changes may be published hours after their timestamp.
        let since = last.map { max(start, $0 - CatalogPlan.overlap) } ?? start
        guard let outcome = try service.deletions(since: since, originTimesFrom: start) else { return nil }
        let answer = try read(outcome, from: service.address)
        let deleted = answer.document.deletedFeatures()
        return try apply(answer, as: "deletions", from: service.address) { report, writer in
            let application = DeletionApplication(answer: answer, deleted: deleted, writer: writer)
            return try application.run(report)
        }
    }
}

extension Coverage {
    /// The origin times that backfills cover, under whatever conditions. Their daily update fetches all changes there.
    fileprivate var backfilledTimes: RangeSet<Timestamp> {
        covered.filter { $0.source == .backfill }.reduce(into: RangeSet()) { $0.formUnion($1.times) }
    }
}

/// Applies the event service's response about deleted quakes.
private struct DeletionApplication {
    let answer: Response
    let deleted: [DeletedFeature]
    let writer: QuakeWriter

    /// Deletes the quakes whose deletion is certain. The others become ids in question.
    func run(_ report: RefreshReport) throws -> MirrorSession.Applied {
        var report = report
        var open = OpenCases()
        report.generated = answer.sourceTime
        let view = WriterView(writer: writer, sourceTime: answer.sourceTime)
        for feature in deleted {
            for id in feature.ids.sorted() {
                guard let known = try view.quake(withOwnID: id) else { continue }
                switch try feature.verdict(on: known, confirmedUntil: view.confirmedUntil(known)) {
                case .deleted: try delete(known, &report)
                case .inQuestion(let reason):
                    try writer.putInQuestion([
                        IDInQuestion(about: known.stored.quake, reason, raised: answer.sourceTime)
                    ])
                    open.ids.append(id)
                }
            }
        }
        return (report, open)
    }

    private func delete(_ known: KnownQuake, _ report: inout RefreshReport) throws {
        let deletion = Operation.delete(known.stored, reason: .retracted, mergedInto: nil)
        let rowSource = RowSource(sourceTime: answer.sourceTime.milliseconds)
        try writer.perform(deletion, rowSource, isFromService: true)
        try writer.dropIDsInQuestion([known.stored.quake.id])
        report.count([deletion])
    }
}
