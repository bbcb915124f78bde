/// A request to the event service that a ``ScheduledRefresh`` sends once a day.
protocol DailyRequest: Sendable {
    /// Returns whether the request is due at `now`. This is not called while the service demands a pause, nor within an
    /// hour of a failure.
    func isDue(by mirror: FeedMirror, in context: QuakeContext, now: Timestamp) throws -> Bool

    /// Sends the request on the current thread. Returns nil if another process is sending the same request.
    ///
    /// - Throws: ``FeedError`` if the service fails; the request itself records the failure in the cache.
    ///   ``/QuakeStore/StoreError`` if the cache fails, which the caller records. `CancellationError`.
    func send(by mirror: FeedMirror, _ observer: MirrorObserver) throws -> DailyReport?
}

enum DailyRequests {
    /// All daily requests, in the order in which they are sent.
    static let all: [any DailyRequest] = [CatalogUpdate(), DeletionInquiry()]
}

/// The answer to a request that refreshes without a source send once a day.
public enum DailyReport: Hashable, Sendable {
    /// The backfilled parts of the catalog were updated.
    case catalogUpdate(BackfillReport)
    /// The event service reported the quakes that it has deleted lately, and was asked about the ids in question.
    case deletions(RefreshReport)
}

/// The reason a daily request failed.
public enum DailyFailure: Error, Hashable, Sendable {
    /// The event service failed.
    case service(FeedError)
    /// The cache failed.
    case cache(StoreError)
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
