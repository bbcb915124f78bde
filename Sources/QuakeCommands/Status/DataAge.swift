import QuakeMirror

/// The age of the data, and the time since anything was read.
struct DataAge {
    let feeds: [FeedRecord]
    let coveredRanges: [CoveredRange]
    let now: Timestamp
    var limits = ProblemLimits()

    /// The last time that a feed was read, a file was applied, or a backfill received a response.
    var lastSuccess: Timestamp? {
        (feeds.compactMap(\.lastSuccess) + coveredRanges.filter(\.source.isFromBackfill).map(\.asOf)).max()
    }

    /// The time as of which the data is current: the newest response to a backfill or the end of the coverage by feeds,
    /// whichever is later. A suspect download does not extend the coverage. Without coverage, the time at which the
    /// newest document was generated; nil without a document.
    var newestData: Timestamp? {
        let covered = coveredRanges.map { $0.source.isFromBackfill ? $0.asOf : $0.originTimes.upperBound }
        return covered.max() ?? feeds.compactMap(\.generated).max()
    }

    /// The reason that the data is stale, as a clause; nil if it is current or nothing was ever read.
    var staleness: String? {
        guard let lastSuccess else { return nil }
        if now - lastSuccess > limits.age {
            return "no data has been read successfully for \((now - lastSuccess).words)"
        }
        guard let newestData, limits.dataAge.map({ now - newestData > $0 }) ?? (lastSuccess - newestData > toleratedAge)
        else {
            return nil
        }
        let name = feeds.first { $0.lastSuccess == lastSuccess }?.name
        let source = name.map { $0.contains("://") ? "its source" : $0 } ?? "the event service"
        return "the data ends at \(newestData.minuteWords) UTC, although \(source) was read at "
            + "\(lastSuccess.minuteWords) UTC"
    }

    /// How old the newest document may have been when a document was last read: the period of its feed, but at most a
    /// day, plus an hour. A longer feed may be the newest only because the server has stopped updating all feeds.
    private var toleratedAge: Duration {
        let newest = feeds.first { $0.generated != nil && $0.generated == newestData }
        let period = newest.flatMap { FeedName($0.name) }?.period ?? .day
        return min(period.window, FeedName.Period.day.window) + .seconds(3600)
    }
}
