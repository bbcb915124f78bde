/// Which feed a refresh without a name takes: the largest complete one that is due.
///
/// A quarter of all quakes appear more than an hour after they happened, a tenth more than twelve hours: a program that
/// polls only the hour never sees them. So the month is read weekly, the week daily, the day hourly, and the hour
/// always. After an outage the next larger feed fills the gap.
package enum RefreshSchedule {
    /// How old the last snapshot of each tier, or of a larger one, may be.
    static let tiers: [(feed: FeedName, interval: Duration)] = [
        (FeedName(.all, .month), .seconds(7 * 86_400)),
        (FeedName(.all, .week), .seconds(86_400)),
        (FeedName(.all, .day), .seconds(3600)),
    ]

    /// The feed that is due at `now`, by what `feeds` say of the last refreshes.
    package static func dueFeed(_ feeds: [FeedRecord], now: Timestamp) -> FeedName {
        var newest: Timestamp?
        for (feed, interval) in tiers {
            if let own = feeds.first(where: { $0.name == feed.description })?.lastGoodAnswer {
                newest = max(newest ?? own, own)
            }
            // A clock that was set back leaves a time in the future, which tells nothing.
            guard let last = newest, last <= now, now - last < interval else { return feed }
        }
        return FeedName(.all, .hour)
    }

    /// Whether what backfills asked for is due for an update: once a day, at the earliest an hour after a failure, and
    /// after an update that left something of it missing.
    package static func isCatalogDue(_ coverage: Coverage, service: FeedRecord?, now: Timestamp) -> Bool {
        let day = now - .seconds(86_400)
        let isOutdated = coverage.covered.contains { $0.source == .backfill && $0.asOf <= day }
        guard isOutdated || !coverage.missing(until: day).isEmpty else { return false }
        if service?.pause(at: now) != nil { return false }
        let last = [service?.errorTime, service?.checked].compactMap(\.self)
        return last.allSatisfy { now - $0 >= .seconds(3600) || now < $0 }
    }

    /// The next smaller complete feed, for a run whose feed failed; nil after the hour.
    package static func fallback(after feed: FeedName) -> FeedName? {
        let order = tiers.map(\.feed) + [FeedName(.all, .hour)]
        return order.firstIndex(of: feed).flatMap { $0 + 1 < order.count ? order[$0 + 1] : nil }
    }
}

extension FeedRecord {
    /// When a snapshot was applied, or the server said that the last one still holds. A file tells only of the time at
    /// which it was made.
    fileprivate var lastGoodAnswer: Timestamp? {
        // A failure after the last answer leaves that standing, but nothing that was never applied can still hold.
        applied.map { applied in
            let told = min(applied, generated ?? applied)
            return max(told, checked ?? told)
        }
    }
}

/// The order in which several sources are applied.
package enum ReplayOrder {
    /// Sorts files by the time they were generated, so that kept snapshots become a history in the right order. All
    /// other sources keep their places. Files that cannot be read come last, and fail when their turn comes.
    package static func sorted(_ sources: [FeedSource]) -> [FeedSource] {
        guard sources.count > 1 else { return sources }
        // A pipe can be read only once, when its turn comes.
        let files = sources.enumerated().filter { $0.element.isRegularFile }
        let dated = files.map { file in (source: file.element, moment: generated(file.element), offset: file.offset) }
            .sorted { left, right in
                left.moment != right.moment ? left.moment < right.moment : left.offset < right.offset
            }
        var result = sources
        for (file, replacement) in zip(files, dated) { result[file.offset] = replacement.source }
        return result
    }

    private static func generated(_ source: FeedSource) -> Timestamp {
        guard let bytes = try? source.contents(), let snapshot = try? FeedSnapshot(bytes, source: "")
        else { return Timestamp(milliseconds: .max) }
        return snapshot.envelope.generated ?? Timestamp(milliseconds: .max)
    }
}
