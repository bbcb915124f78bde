import QuakeStore

extension QuakeContext {
    /// Returns the end of the data: the end of the coverage or, without coverage, the time at which the newest feed was
    /// generated. For a past state, the publication time of the newest document that changed a quake. A state at a
    /// publication time has no later data. Nil if nothing was read.
    func endOfData() throws -> Timestamp? {
        guard !isPast else { return try history.newestPublication() }
        let end =
            try sources.coveredRanges().map(\.originTimes.upperBound).max()
            ?? sources.feeds().filter { FeedName($0.name) != nil }.compactMap(\.generated).max()
        return end.map { min($0, history.pinnedPublication ?? $0) }
    }

    /// Returns the time as of which an export describes the quakes; nil if no document was read. A cache that reads the
    /// export uses this time to keep newer data.
    func timeOfExport() throws -> Timestamp? { try endOfData() ?? history.newestPublication() }

    /// Describes how recently a feed was read, as in `refreshed 2 min ago (all_day)`, or which past state is shown; nil
    /// if no feed was read.
    func freshness(isPast: Bool, now: Timestamp?) throws -> String? {
        if isPast { return try freshness(isPast: true).words }
        let sources = try sources.feeds()
        let read = sources.compactMap(\.lastSuccess).max()
        guard let read, let now, let newest = sources.first(where: { $0.lastSuccess == read }) else { return nil }
        return "refreshed \(read.age(at: max(now, read))) (\(newest.name))"
    }

    /// Returns the end of the data and its description: `data through 2021-07-22 20:39 UTC`. For a past state, `words`
    /// describe its publication or commit time; if no document was read, the time of the last commit.
    func freshness(isPast: Bool) throws -> (moment: Timestamp, words: String) {
        let data = try endOfData()
        if !isPast, let end = try data ?? sources.feeds().compactMap(\.generated).max() {
            return (end, "data through \(end.minuteWords) UTC")
        }
        if isPast, let moment = history.pinnedPublication {
            let published = try data ?? history.newestPublication() ?? moment
            return (published, "as published by USGS up to \(published.minuteWords) UTC")
        }
        let last = try history.transaction(history.currentToken().number)
        let committed = try last?.time ?? history.floor().time ?? maintenance.statistics().created
        return (data ?? committed, "\(isPast ? "cache as of" : "as of") \(committed.minuteWords) UTC")
    }
}
