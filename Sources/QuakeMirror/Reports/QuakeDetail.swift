/// The event service's response to a request for one quake's solutions.
public struct QuakeDetail: Hashable, Sendable {
    /// The quake's preferred id.
    public let id: String
    public let outcome: Outcome

    public enum Outcome: Hashable, Sendable {
        /// The solutions were stored: the number of versions of each kind, and the versions and values that could not
        /// be read.
        case stored([SolutionKind: Int], skipped: [SkippedFeature])
        /// The service reports that the quake was deleted.
        case deleted
        /// The service does not know the quake.
        case notFound
        /// The quake was deleted from the cache before the response arrived.
        case deletedLocally
        /// The response is not valid. The quake remains unchanged in the cache.
        case failed(FeedError)
    }
}
