package import QuakeHTTP
import QuakeFeed
import QuakeModel
import QuakeStore

extension FeedMirror {
    /// Asks the event service about single quakes of the cache, and keeps every version of their solutions: see
    /// ``/QuakeStore/QuakeContext/solutions(ofKey:)``.
    ///
    /// One request at a time, a second apart. Each answer is a transaction of its own; the history has no entry for it,
    /// because no quake changes. Cancelling the task ends the questions; what came before stays, and the next call goes
    /// on from there.
    ///
    /// - Parameters:
    ///   - keys: the quakes; nil for all that were asked about before. Those that did not change since are left out.
    ///   - again: ask about those, too.
    ///   - settings: how politely and how long to ask.
    ///   - onProgress: told how far the questions are, from other threads.
    /// - Throws: as ``backfill(_:again:settings:dryRun:onProgress:)``.
    public func fetchDetails(
        ofKeys keys: [Int64]? = nil, again: Bool = false, settings: BackfillSettings = BackfillSettings(),
        onProgress: @escaping @Sendable (DetailsProgress) -> Void = { _ in }
    ) async throws -> DetailsReport {
        try await onOwnThread(onProgress, received: DetailsProgress.received) { observer, monitor in
            try fetchDetails(ofKeys: keys, again: again, limits: settings, dryRun: false, observer, monitor)
        }
    }

    /// Runs the questions on the present thread; with `dryRun` only counts them.
    package func fetchDetails(
        ofKeys keys: [Int64]?, again: Bool, limits: BackfillSettings, dryRun: Bool,
        _ observer: MirrorObserver<DetailsProgress>, _ monitor: TransferMonitor = TransferMonitor()
    ) throws -> DetailsReport {
        let context = try cache.context(author: author, access: dryRun ? .reading : .writing)
        let endpoint = service ?? EventEndpoint()
        let pause = max(limits.pause ?? .zero, endpoint.isOnThisMachine ? .zero : .seconds(1))
        func run() throws -> DetailsReport {
            let all = try context.detailRequests(ofKeys: keys)
            let plan = again ? all : all.filter(\.isDue)
            let report = DetailsReport(quakes: plan.count, unchanged: all.count - plan.count, pause: pause)
            guard !dryRun else { return report }
            let now = cache.configuration.now
            let client = FeedClient(transport: transport, userAgent: userAgent, deadline: deadline, now: now)
            let pace = RequestPace(
                interval: pause, limit: limits.maximumRequests ?? .max, pause: { observer.sleep($0) })
            return try DetailsSession(
                context: context,
                service: EventService(client: client.watched(by: monitor), endpoint: endpoint, pace: pace),
                limits: limits, observer: observer, now: now
            ).run(plan, report)
        }
        return dryRun ? try run() : try CacheLock.hold(cacheAt: cache.path, for: .backfill, run)
    }
}
