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
        let applied = Dictionary(uniqueKeysWithValues: feeds.map { ($0.name, $0.applied) })
        var newest: Timestamp?
        for (feed, interval) in tiers {
            if let own = applied[feed.description] ?? nil { newest = max(newest ?? own, own) }
            // A clock that was set back leaves a time in the future, which tells nothing.
            guard let last = newest, last <= now, now - last < interval else { return feed }
        }
        return FeedName(.all, .hour)
    }
}
