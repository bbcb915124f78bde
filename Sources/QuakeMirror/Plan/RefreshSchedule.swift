/// Chooses the feed for a refresh without a source: the largest complete feed that is due.
///
/// A quarter of all quakes appear more than an hour after they happened, and one in ten more than twelve hours after. A
/// program that polls only the hourly feed never sees such quakes. So the monthly feed is read weekly, the weekly feed
/// daily, the daily feed hourly, and otherwise the hourly feed. After an outage, the next larger feed fills the gap.
package enum RefreshSchedule {
    /// The feeds, largest first. Each is due if neither it nor a larger feed has been read within `interval`.
    static let tiers: [(feed: FeedName, interval: Duration)] = [
        (FeedName(.all, .month), .seconds(7 * 86_400)),
        (FeedName(.all, .week), .seconds(86_400)),
        (FeedName(.all, .day), .seconds(3600)),
    ]

    /// Returns the feed that is due at `now`, according to the records in `feeds`.
    package static func dueFeed(_ feeds: [FeedRecord], now: Timestamp) -> FeedName {
        var newest: Timestamp?
        for (feed, interval) in tiers {
            if let own = feeds.first(where: { $0.name == feed.description })?.lastGoodAnswer {
                newest = max(newest ?? own, own)
            }
            // After a clock was set back, a recorded time may lie in the future. Such a time proves nothing.
            guard let last = newest, last <= now, now - last < interval else { return feed }
        }
        return FeedName(.all, .hour)
    }

    /// Returns whether the event service may be sent daily requests: not during a pause that it demanded, nor within an
    /// hour of a failure.
    static func mayAsk(_ service: FeedRecord?, now: Timestamp) -> Bool {
        service?.pause(at: now) == nil && isOlder(service?.errorTime, than: .seconds(3600), now: now)
    }

    /// Returns whether backfilled coverage is due for an update. Updates run daily, but not within an hour of a failure
    /// or of an update that left parts missing.
    package static func isCatalogDue(_ coverage: Coverage, service: FeedRecord?, now: Timestamp) -> Bool {
        let day = now - .seconds(86_400)
        let isOutdated = coverage.covered.contains { $0.source.isFromBackfill && $0.asOf <= day }
        guard isOutdated || !coverage.missing(until: day).isEmpty else { return false }
        return mayAsk(service, now: now) && isOlder(service?.checked, than: .seconds(3600), now: now)
    }

    /// Returns whether `moment` is at least `interval` ago. Also returns true if `moment` is nil, or if it is in the
    /// future, because a clock was then set back.
    static func isOlder(_ moment: Timestamp?, than interval: Duration, now: Timestamp) -> Bool {
        moment.map { now - $0 >= interval || now < $0 } ?? true
    }

    /// Returns whether a daily request is due: a day after the last success, but not within an hour of a failure.
    static func isDailyRequestDue(_ record: FeedRecord?, now: Timestamp) -> Bool {
        isOlder(record?.checked, than: .seconds(86_400), now: now)
            && isOlder(record?.errorTime, than: .seconds(3600), now: now)
    }

    /// Returns the next smaller complete feed, for use if `feed` failed; nil after the hourly feed.
    package static func fallback(after feed: FeedName) -> FeedName? {
        let order = tiers.map(\.feed) + [FeedName(.all, .hour)]
        return order.firstIndex(of: feed).flatMap { $0 + 1 < order.count ? order[$0 + 1] : nil }
    }
}

extension FeedRecord {
    /// The last time a snapshot was applied, or the server confirmed that the last applied snapshot is still current.
    /// For a file, the time at which it was generated.
    fileprivate var lastGoodAnswer: Timestamp? {
        // A failure leaves the last success valid. If no snapshot was ever applied, none can still be current.
        applied.map { applied in
            let told = min(applied, generated ?? applied)
            return max(told, checked ?? told)
        }
    }
}
