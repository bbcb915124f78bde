/// A request to the event service that a ``ScheduledRefresh`` sends once a day.
protocol DailyRequest: Sendable {
    /// Returns whether the request is due at `now`. This is not called while the service demands a pause, nor within an
    /// hour of a failure.
    func isDue(by mirror: FeedMirror, in context: QuakeContext, now: Timestamp) throws -> Bool

    /// Sends the request on the current thread. Returns nil if another process is sending the same request.
    ///
    /// - Throws: ``FeedError`` if the service fails (the request itself records this failure in the cache),
    ///   ``/QuakeStore/StoreError`` if the cache fails (the caller records this failure), and `CancellationError`.
    func send(by mirror: FeedMirror, _ observer: MirrorObserver) throws -> DailyReport?
}

extension RefreshReport {
    mutating func add(_ daily: DailyReport) {
        switch daily {
        case .catalogUpdate(let update):
            catalogUpdate = update
            token = update.token
        case .deletions(let report):
            add(report)
        }
    }
}
