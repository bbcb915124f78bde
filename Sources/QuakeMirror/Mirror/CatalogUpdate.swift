/// Updates the backfilled parts of the catalog. An update stops after two minutes, and a later refresh continues it.
struct CatalogUpdate: DailyRequest {
    private static let maximumDuration = Duration.seconds(120)

    func isDue(by mirror: FeedMirror, in context: QuakeContext, now: Timestamp) throws -> Bool {
        let service = try mirror.service.flatMap {
            try context.sources.feed(named: EventService.feedRecordName(of: $0))
        }
        return RefreshSchedule.isCatalogDue(try context.sources.coverage(), service: service, now: now)
    }

    func send(by mirror: FeedMirror, _ observer: MirrorObserver) throws -> DailyReport? {
        var mirror = mirror
        mirror.deadline = Self.maximumDuration
        let limits = BackfillSettings(maximumTime: Self.maximumDuration)
        do {
            return .catalogUpdate(try mirror.backfill(.update, limits: limits, dryRun: false, observer))
        } catch StoreError.backfilling {
            return nil
        }
    }
}
