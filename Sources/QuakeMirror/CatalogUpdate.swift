/// Updates the backfilled parts of the catalog. An update stops after two minutes, and a later refresh continues it.
struct CatalogUpdate: DailyRequest {
    private static let longest = Duration.seconds(120)

    func isDue(in context: QuakeContext, service: FeedRecord?, now: Timestamp) throws -> Bool {
        RefreshSchedule.isCatalogDue(try context.sources.coverage(), service: service, now: now)
    }

    func send(by mirror: FeedMirror, _ observer: MirrorObserver) throws -> DailyReport? {
        var mirror = mirror
        mirror.deadline = Self.longest
        let limits = BackfillSettings(maximumTime: Self.longest)
        do {
            return .catalogUpdate(try mirror.backfill(.update, limits: limits, dryRun: false, observer))
        } catch StoreError.backfilling {
            return nil
        }
    }
}
