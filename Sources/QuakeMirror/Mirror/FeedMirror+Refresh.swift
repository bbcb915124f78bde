extension FeedMirror {
    /// Updates the cache from `source`.
    ///
    /// If `source` is nil, the source is the largest feed of all quakes that is due: the monthly feed once a week, the
    /// weekly feed once a day, the daily feed once an hour, and otherwise the hourly feed. If the server cannot serve
    /// that feed, the next smaller one is read instead, and the report names it. Once a day, such a refresh also
    /// updates the backfilled parts of the catalog, for at most two minutes (see ``RefreshReport/catalogUpdate``), and
    /// asks the event service which quakes were deleted. A failure of these requests does not make the refresh fail; it
    /// is reported as ``MirrorProgress/dailyRequestFailed(_:)``.
    ///
    /// Canceling the task stops the download and leaves the cache unchanged. Once the snapshot has been applied,
    /// canceling only skips the requests to the event service, as shown by ``RefreshReport/serviceError``.
    ///
    /// - Parameters:
    ///   - source: a feed, a URL, a file or standard input; nil for the feed that is due.
    ///   - dryRun: whether to report the changes without storing anything: no quake, no ETag, no new file.
    ///   - generated: the publication time of CSV from a file or standard input; nil for the newest update time in the
    ///     CSV. GeoJSON states its own time; it is rejected if `generated` is not nil. Ignored for downloads.
    ///   - onProgress: receives progress reports, on other threads.
    /// - Throws: ``/QuakeMirror/FeedError`` if the source is unreadable or not valid, ``/QuakeStore/StoreError`` if the
    ///   cache fails, and `CancellationError`. In each case, the quakes are unchanged. If the smaller feeds fail, too,
    ///   the error of the feed that was due is thrown.
    public func refresh(
        _ source: FeedSource? = nil, dryRun: Bool = false, generated: Timestamp? = nil,
        onProgress: @escaping @Sendable (MirrorProgress) -> Void = { _ in }
    ) async throws -> RefreshReport {
        try await onOwnThread(onProgress) { observer in
            guard let source else { return try ScheduledRefresh(self, observer: observer).run(dryRun: dryRun) }
            return try session(dryRun: dryRun, observer: observer) { session in
                try session.refresh(source, generated: generated)
            }
        }
    }
}
