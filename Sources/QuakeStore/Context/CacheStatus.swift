/// How old a cache's data is, and for which origin times the cache is complete.
public struct CacheStatus: Sendable {
    /// A source of the cache's data.
    public struct Source: Hashable, Sendable {
        /// The feed's name, such as `all_week`, or the URL or file of another source.
        public let name: String
        /// The last time that the source responded successfully, even with nothing new, or that one of its documents
        /// was applied; nil if there was neither.
        public let lastChecked: Timestamp?
        /// The publication time of the newest document applied from the source; nil if none was applied.
        public let newestPublication: Timestamp?
    }

    /// The sources, sorted by name, except the event service; nil in a past generation, because the cache keeps no
    /// history of its sources.
    public let sources: [Source]?
    /// The publication time of the newest document that was applied; nil if there is none. In a past generation, only
    /// documents that changed at least one quake are considered, because the history does not record the others.
    public let newestPublication: Timestamp?
    /// The ranges of origin times for which the cache is complete, earliest first; nil in a past generation, because
    /// the cache keeps no history of its coverage. Ranges with different conditions may overlap. The coverage of
    /// uncertainties is left out.
    public let coveredRanges: [CoveredRange]?
}

extension QuakeContext {
    /// Returns the age and the coverage of the data in the state that this context reads.
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
