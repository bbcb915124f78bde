// Once a day, the event service is asked which quakes it has recently deleted.
//
// Feeds merely omit a deleted quake, and the longer feeds are fetched so rarely that an older quake leaves their period
// before six snapshots have omitted it. The service knows each deletion, and one small response contains them all
// (decision 0054).

/// Requests the recently deleted quakes whose origin times are up to 31 days before the last response, unless the daily
/// update of backfilled parts covers these times. Then asks about the ids in question (``/QuakeStore/IDInQuestion``).
struct DeletionListRequest: DailyRequest {
    /// The maximum age of the quakes: the period of the longest feed plus a day.
    private static let reach = FeedName.Period.month.window + .seconds(86_400)

    func isDue(by mirror: FeedMirror, in context: QuakeContext, now: Timestamp) throws -> Bool {
        guard let service = mirror.service else { return false }
        // Any feed can stand for the others, because all are at the same endpoint.
        guard mirror.serviceScope.includes(.allDay, at: mirror.endpoint) else { return false }
        let record = try context.sources.feed(named: EventService.deletionsFeedRecordName(of: service))
        return RefreshSchedule.isDailyRequestDue(record, now: now)
    }

    func send(by mirror: FeedMirror, _ observer: MirrorObserver) throws -> DailyReport? {
        try mirror.session(observer: observer) { session in
            try session.askForDeletions(reach: Self.reach).map { .deletions($0) }
        }
    }
}
