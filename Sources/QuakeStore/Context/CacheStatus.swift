/// The age of a cache's data, and what it covers.
public struct CacheStatus: Sendable {
    /// A source from which the cache was filled.
    public struct Source: Hashable, Sendable {
        /// The feed's name, such as `all_week`, or the URL or file of another source.
        public let name: String
        /// The last time the source responded successfully, even without news, or one of its documents was applied; nil
        /// if it has only failed.
        public let lastChecked: Timestamp?
        /// The publication time of the source's newest document; nil if none was applied.
        public let newestPublication: Timestamp?
    }

    /// The sources, sorted by name, except the event service; nil in a past generation, because they have no history.
    public let sources: [Source]?
    /// The publication time of the newest document that was applied; nil if there is none. In a past generation, only
    /// documents that changed a quake count, because the others have no history.
    public let newestPublication: Timestamp?
    /// The ranges of origin times that are complete, earliest first; nil in a past generation, because they have no
    /// history. Ranges with different conditions may overlap.
    public let coveredRanges: [CoveredRange]?
}

extension QuakeContext {
    /// Returns the age of the data and what it covers, in the state that this context reads.
    public func status() throws -> CacheStatus {
        try snapshot {
            let newest = try history.newestPublication()
            guard !isPast else { return CacheStatus(sources: nil, newestPublication: newest, coveredRanges: nil) }
            let feeds = try FeedRecord.all(in: session.database())
            let covered = try sources.coveredRanges().filter { $0.source != .uncertainties }
            return CacheStatus(
                sources: feeds.filter { !$0.isService }.map(CacheStatus.Source.init),
                newestPublication: (feeds.map(\.generated) + [newest]).compactMap(\.self).max(),
                coveredRanges: covered)
        }
    }
}

extension CacheStatus.Source {
    fileprivate init(_ feed: FeedRecord) {
        self.init(name: feed.name, lastChecked: feed.lastSuccess, newestPublication: feed.generated)
    }
}
