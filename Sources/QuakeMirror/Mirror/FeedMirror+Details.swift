extension FeedMirror {
    /// Requests every version of the quakes' solutions from the event service, and stores them in the cache. To read
    /// them, call ``/QuakeStore/QuakeContext/solutions(ofKey:)``.
    ///
    /// Requests are sent one at a time, a second apart by default. Each response is stored immediately. It has an entry
    /// in the history only if it changes the quake's uncertainties; the quake's other values do not change. Canceling
    /// the task stops the requests; the next call resumes after the last response.
    ///
    /// - Parameters:
    ///   - keys: the local keys of the quakes; nil for all quakes whose solutions were requested before.
    ///   - again: whether to include quakes that have not changed since they were last requested.
    ///   - settings: the pause between requests, and the limits.
    ///   - onProgress: receives progress reports, on other threads.
    /// - Throws: ``/QuakeMirror/FeedError`` if the service fails, ``/QuakeStore/StoreError`` if the cache fails, and
    ///   `CancellationError`.
    public func fetchDetails(
        ofKeys keys: [QuakeKey]? = nil, again: Bool = false, settings: BackfillSettings = BackfillSettings(),
        onProgress: @escaping @Sendable (MirrorProgress) -> Void = { _ in }
    ) async throws -> DetailsReport {
        try await onOwnThread(onProgress) { observer in
            try fetchDetails(ofKeys: keys, again: again, limits: settings, dryRun: false, observer)
        }
    }

    /// Sends the requests on the current thread; with `dryRun`, only counts them.
    package func fetchDetails(
        ofKeys keys: [QuakeKey]?, again: Bool, limits: BackfillSettings, dryRun: Bool,
        _ observer: MirrorObserver
    ) throws -> DetailsReport {
        let context = try QuakeContext(cache, author: author, access: dryRun ? .reading : .writing)
        let session = session(in: context, dryRun: dryRun, limits, observer)
        func run() throws -> DetailsReport {
            let all = try context.detailRequests(ofKeys: keys)
            let plan = again ? all : all.filter(\.isDue)
            let report = DetailsReport(
                requesting: plan, skipping: again ? [] : all.filter { !$0.isDue },
                pause: session.service?.interval ?? .zero)
            return dryRun ? report : try DetailsSession(session: session).run(plan, report)
        }
        return dryRun ? try run() : try CacheLock.hold(cacheAt: cache.path, run)
    }
}
