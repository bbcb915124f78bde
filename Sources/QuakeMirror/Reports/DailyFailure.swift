/// The reason a daily request failed.
public enum DailyFailure: Error, Hashable, Sendable {
    /// The request to the event service failed.
    case service(FeedError)
    /// The cache could not be opened, read or written.
    case cache(StoreError)
}
