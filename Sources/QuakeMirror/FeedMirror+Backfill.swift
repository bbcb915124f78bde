import FoundationEssentials
import QuakeFeed
package import QuakeHTTP
public import QuakeModel
import QuakeStore

/// What a backfill is to bring.
package enum BackfillRequest: Hashable, Sendable {
    /// The quakes that a filter accepts, as far as the cache does not hold them; with `again`, all of them.
    case part(QuakeFilter, again: Bool)
    /// What the cache holds, once more.
    case again
    /// What changed in what the cache holds.
    case update

    /// Whether it asks for what is held.
    fileprivate var isAgain: Bool {
        switch self {
        case .part(_, let again): again
        case .again: true
        case .update: false
        }
    }
}

extension FeedMirror {
    /// Brings the quakes of the USGS catalogue that `filter` accepts into the cache, as far as it does not hold them
    /// yet.
    ///
    /// The filter's times limit the stretch; without `since` it starts with the catalogue, without `until` it ends now,
    /// and ``updateCatalogue(settings:onProgress:)`` extends it later. Each window of origin time is a transaction of
    /// its own. Cancelling the task ends the backfill; what came before stays, and the next one goes on from there.
    ///
    /// - Parameters:
    ///   - filter: magnitude, depth, region, type and origin time. The service knows no other conditions.
    ///   - again: ask for what the cache holds, too.
    ///   - settings: how politely and how long to ask.
    ///   - dryRun: only count.
    ///   - onProgress: told how far the backfill is, from other threads.
    /// - Throws: ``/QuakeFeed/FeedError``, ``/QuakeStore/StoreError``, also
    ///   ``/QuakeStore/StoreError/backfilling(path:)`` when another backfill is running, and `CancellationError`.
    public func backfill(
        _ filter: QuakeFilter = QuakeFilter(), again: Bool = false, settings: BackfillSettings = BackfillSettings(),
        dryRun: Bool = false, onProgress: @escaping @Sendable (BackfillProgress) -> Void = { _ in }
    ) async throws -> BackfillReport {
        try await onOwnThread(onProgress, received: BackfillProgress.received) { observer, monitor in
            try backfill(.part(filter, again: again), limits: settings, dryRun: dryRun, observer, monitor)
        }
    }

    /// Brings the parts of the catalogue that the cache holds up to date: new quakes, revisions, and deletions that the
    /// service reports.
    ///
    /// - Parameters:
    ///   - settings: how politely and how long to ask.
    ///   - onProgress: told how far the update is, from other threads.
    /// - Throws: as ``backfill(_:again:settings:dryRun:onProgress:)``.
    public func updateCatalogue(
        settings: BackfillSettings = BackfillSettings(),
        onProgress: @escaping @Sendable (BackfillProgress) -> Void = { _ in }
    ) async throws -> BackfillReport {
        try await onOwnThread(onProgress, received: BackfillProgress.received) { observer, monitor in
            try backfill(.update, limits: settings, dryRun: false, observer, monitor)
        }
    }

    /// An update that takes longer is stopped, and continued by a later refresh.
    package static let longestUpdate = Duration.seconds(120)

    /// Whether the claims of backfills are due for their daily update.
    package func isUpdateDue() throws -> Bool {
        guard let service else { return false }
        let context = try cache.context(access: .reading)
        let record = try context.feed(named: EventService.recordName(of: service))
        return RefreshSchedule.isCatalogueDue(
            try context.claims(), service: record, now: cache.configuration.now())
    }

    /// Brings the claims of backfills up to date if that is due. A failure of the service is remembered in the cache,
    /// and a running backfill updates them itself.
    func updateIfDue(_ monitor: TransferMonitor) throws -> BackfillReport? {
        guard try isUpdateDue() else { return nil }
        let observer = MirrorObserver<BackfillProgress>(
            isCancelled: { monitor.isCancelled }, describe: failureText)
        do {
            return try backfill(
                .update, limits: BackfillSettings(maximumTime: Self.longestUpdate), dryRun: false, observer, monitor)
        } catch StoreError.backfilling {
            return nil
        } catch is FeedError {
            return nil
        }
    }

    /// Runs `request` on the present thread.
    package func backfill(
        _ request: BackfillRequest, limits: BackfillSettings, dryRun: Bool,
        _ observer: MirrorObserver<BackfillProgress>, _ monitor: TransferMonitor = TransferMonitor()
    ) throws -> BackfillReport {
        if case .part(let filter, _) = request, let condition = CatalogueQuery.unknownCondition(of: filter) {
            throw FeedError.unsupportedCondition(condition)
        }
        if dryRun {
            let exists = FileManager.default.fileExists(atPath: cache.path)
            let context =
                try exists
                ? cache.context(access: .reading)
                : QuakeCache.inMemory(configuration: cache.configuration).context()
            return try backfill(request, in: context, limits: limits, dryRun: true, observer, monitor)
        }
        // The cache is created before the lock beside it, which needs its folder.
        let isNew = !FileManager.default.fileExists(atPath: cache.path)
        let context = try cache.context(author: author, access: .creating)
        return try CacheLock.hold(cacheAt: cache.path, for: .backfill) {
            // A first backfill that failed leaves no cache.
            defer { if isNew { try? context.discardIfUnused() } }
            return try backfill(request, in: context, limits: limits, dryRun: false, observer, monitor)
        }
    }

    private func backfill(
        _ request: BackfillRequest, in context: QuakeContext, limits: BackfillSettings, dryRun: Bool,
        _ observer: MirrorObserver<BackfillProgress>, _ monitor: TransferMonitor
    ) throws -> BackfillReport {
        let now = cache.configuration.now
        let client = FeedClient(transport: transport, userAgent: userAgent, deadline: deadline, now: now)
            .watched(by: monitor)
        let endpoint = service ?? EventEndpoint()
        let pause = max(limits.pause ?? .zero, endpoint.isOnThisMachine ? .zero : .seconds(1))
        let pace = RequestPace(
            interval: pause, limit: limits.maximumRequests ?? .max, pause: { observer.sleep($0) })
        let session = BackfillSession(
            context: context, service: EventService(client: client, endpoint: endpoint, pace: pace),
            settings: settings, limits: limits, dryRun: dryRun, resumes: !request.isAgain, observer: observer, now: now)
        return try session.run {
            try context.snapshot {
                let held = try context.claims().filter { $0.source == .backfill }
                return (stretches(request, held: held, now: now()), try context.claimEpoch())
            }
        }
    }

    private func stretches(
        _ request: BackfillRequest, held claims: [Claim], now: Timestamp
    ) -> [CatalogueStretch] {
        switch request {
        case .update: return CataloguePlan.updates(of: claims, now: now)
        case .again: return CataloguePlan.again(claims, now: now)
        case .part(let filter, let again):
            let start = filter.since ?? CatalogueQuery.beginning
            return CataloguePlan.missing(
                filter.withoutTimes, in: start..<max(start, filter.until ?? now), isOpenEnded: filter.until == nil,
                held: again ? [] : claims)
        }
    }
}
