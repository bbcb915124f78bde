/// The reason a daily request failed.
public enum DailyFailure: Error, Hashable, Sendable {
    /// The event service failed.
    case service(FeedError)
    /// The cache failed.
    case cache(StoreError)
}
