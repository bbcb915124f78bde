public import QuakeModel
public import QuakeStore

/// Which feed a refresh without a name takes: the largest complete one that is due.
///
/// A quarter of all quakes appear more than an hour after they happened, a tenth more than twelve: polling only the hour
/// misses them for good. So the month is read weekly, the week daily, the day hourly, and the hour always; after a sleep
/// or an outage the next larger one heals the gap.
public enum RefreshSchedule {
    /// How old the last snapshot of each tier, or of a larger one, may be.
    static let tiers: [(feed: FeedName, interval: Duration)] = [
        (FeedName(.all, .month), .seconds(7 * 86_400)),
        (FeedName(.all, .week), .seconds(86_400)),
        (FeedName(.all, .day), .seconds(3600)),
    ]

    /// The feed that is due at `now`, by what `feeds` say of the last refreshes.
    public static func dueFeed(_ feeds: [FeedRecord], now: Timestamp) -> FeedName {
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

    /// The next smaller complete feed, for a run whose feed failed; nil after the hour.
    public static func fallback(after feed: FeedName) -> FeedName? {
        let order = tiers.map(\.feed) + [FeedName(.all, .hour)]
        return order.firstIndex(of: feed).flatMap { $0 + 1 < order.count ? order[$0 + 1] : nil }
    }
}

extension FeedRecord {
    /// When a snapshot was applied, or the server said that the last one still holds.
    fileprivate var lastGoodAnswer: Timestamp? {
        // A failure after the last answer leaves that standing, but nothing that was never applied can still hold.
        applied.map { max($0, checked ?? $0) }
    }
}
