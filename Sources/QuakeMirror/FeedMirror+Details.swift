import QuakeFeed
import QuakeModel
import QuakeStore

extension FeedMirror {
    /// Asks the event service about single quakes of the cache, and keeps every version of their solutions: see
    /// ``/QuakeStore/QuakeContext/solutions(ofKey:)``.
    ///
    /// One request at a time, a second apart. Each answer is a transaction of its own; the history has no entry for it,
    /// because no quake changes. Canceling the task ends the questions; what came before stays, and the next call goes
    /// on from there.
    ///
    /// - Parameters:
    ///   - keys: the quakes; nil for all that were asked about before. Those that did not change since are left out.
    ///   - again: ask about those, too.
    ///   - settings: how politely and how long to ask.
    ///   - onProgress: told how far the questions are, from other threads.
    /// - Throws: as ``backfill(_:again:settings:dryRun:onProgress:)``.
    public func fetchDetails(
        ofKeys keys: [QuakeKey]? = nil, again: Bool = false, settings: BackfillSettings = BackfillSettings(),
        onProgress: @escaping @Sendable (MirrorProgress) -> Void = { _ in }
    ) async throws -> DetailsReport {
        try await onOwnThread(onProgress) { observer in
            try fetchDetails(ofKeys: keys, again: again, limits: settings, dryRun: false, observer)
        }
    }

    /// Runs the questions on the present thread; with `dryRun` only counts them.
    package func fetchDetails(
        ofKeys keys: [QuakeKey]?, again: Bool, limits: BackfillSettings, dryRun: Bool,
        _ observer: MirrorObserver
    ) throws -> DetailsReport {
        let context = try cache.context(author: author, access: dryRun ? .reading : .writing)
        let session = session(in: context, dryRun: dryRun, limits, observer)
        func run() throws -> DetailsReport {
            let all = try context.detailRequests(ofKeys: keys)
            let plan = again ? all : all.filter(\.isDue)
            let report = DetailsReport(
                quakes: plan.count, unchanged: all.count - plan.count, pause: session.service?.interval ?? .zero)
            return dryRun ? report : try DetailsSession(session: session).run(plan, report)
        }
        return dryRun ? try run() : try CacheLock.hold(cacheAt: cache.path, for: .backfill, run)
    }
}
