extension FeedMirror {
    /// Adds quakes from the USGS catalog that `filter` accepts. Parts of the catalog already in the cache are not
    /// requested, unless `again` is true.
    ///
    /// The filter's times limit the backfill. Without `since`, it starts at the beginning of the catalog. Without
    /// `until`, it ends now, and ``updateCatalog(settings:onProgress:)`` extends it later. Each window of origin times
    /// is its own transaction. Canceling the task ends the backfill. Finished windows are kept, and the next backfill
    /// continues after them.
    ///
    /// - Parameters:
    ///   - filter: conditions on magnitude, depth, area, event type and origin time. The service supports no others.
    ///   - again: whether to also request parts that are already in the cache.
    ///   - uncertainties: whether to also fetch the uncertainties of the quakes, in a second request per window, and to
    ///     keep them up to date. Parts that are in the cache without uncertainties are requested again.
    ///   - settings: the pause between requests, and the limits.
    ///   - dryRun: whether to only count the quakes.
    ///   - onProgress: receives progress reports, on other threads.
    /// - Throws: ``/QuakeMirror/FeedError`` if the service fails or does not support a condition;
    ///   ``/QuakeStore/StoreError`` if the cache fails, another backfill is running, or an argument is out of range (a
    ///   number that is not finite, a time outside the years 0 to 9999, or a negative limit); and `CancellationError`.
    public func backfill(
        _ filter: QuakeFilter = QuakeFilter(), again: Bool = false, uncertainties: Bool = false,
        settings: BackfillSettings = BackfillSettings(), dryRun: Bool = false,
        onProgress: @escaping @Sendable (MirrorProgress) -> Void = { _ in }
    ) async throws -> BackfillReport {
        let request = BackfillRequest.quakes(filter, again: again, uncertainties: uncertainties)
        return try await onOwnThread(onProgress) { try backfill(request, limits: settings, dryRun: dryRun, $0) }
    }

    /// Updates the backfilled parts of the catalog with new quakes, revisions, and deletions that the service reports.
    ///
    /// - Parameters:
    ///   - settings: the pause between requests, and the limits.
    ///   - onProgress: receives progress reports, on other threads.
    /// - Throws: ``/QuakeMirror/FeedError`` if the service fails, ``/QuakeStore/StoreError`` if the cache fails or
    ///   another backfill is running, and `CancellationError`.
    public func updateCatalog(
        settings: BackfillSettings = BackfillSettings(),
        onProgress: @escaping @Sendable (MirrorProgress) -> Void = { _ in }
    ) async throws -> BackfillReport {
        try await onOwnThread(onProgress) { try backfill(.update, limits: settings, dryRun: false, $0) }
    }

    /// Runs `request` on the current thread.
    package func backfill(
        _ request: BackfillRequest, limits: BackfillSettings, dryRun: Bool, _ observer: MirrorObserver
    ) throws -> BackfillReport {
        if let condition = request.filter?.conditionUnknownToService {
            throw FeedError.unusableQuery("The event service cannot filter by \(condition).")
        }
        try request.filter?.requireRequestable()
        return try session(dryRun: dryRun, limits: limits, observer: observer) { session in
            try Backfill.run(request, in: session)
        }
    }
}

extension QuakeFilter {
    /// Throws ``/QuakeStore/StoreError/outOfRange(_:value:)`` for a number that is not finite or a time without a
    /// four-digit year, which neither a request nor a covered range can contain.
    fileprivate func requireRequestable() throws(StoreError) {
        try requireNumbers(finite: true)
        for (name, moment) in [("since", since), ("until", until)] {
            guard let moment, !Timestamp.representable.contains(moment) else { continue }
            throw .outOfRange(name, value: moment.description)
        }
    }
}
