/// What a cache holds: every quake that ``conditions`` accept with one of ``originTimes``, as the service had it at
/// ``asOf``.
///
/// A quake that the service has deleted since, or revised so that the claim is no longer about it, is not covered by
/// it. A claim that was made of several windows has the moment of the oldest: a quake that the service moved from one
/// window to another while they were asked for may be missing until the next update, which asks for all changes since.
public struct Claim: Hashable, Sendable, Codable {
    public enum Source: String, CaseIterable, Sendable, Codable {
        /// Documents of the summary feeds except the significant ones.
        case feed
        /// A query of the event service that was refreshed like a feed.
        case query
        /// A backfill. Updates of the catalog keep only these claims up to date.
        case backfill
    }

    public var source: Source
    /// Conditions that the event service knows, such as magnitude, depth, region and type. Their times are not set.
    public var conditions: QuakeFilter
    public var originTimes: Range<Timestamp>
    /// The cache has every change that the service published before this moment.
    public var asOf: Timestamp
    /// Whether the claim was asked for without an end, so that an update extends it to the present.
    public var isOpenEnded: Bool

    public init(
        source: Source = .backfill, conditions: QuakeFilter = QuakeFilter(), originTimes: Range<Timestamp>,
        asOf: Timestamp, isOpenEnded: Bool = false
    ) {
        (self.source, self.conditions, self.originTimes) = (source, conditions, originTimes)
        (self.asOf, self.isOpenEnded) = (asOf, isOpenEnded)
    }

    /// Whether `quake` belongs to the claim.
    public func contains(_ quake: Quake) -> Bool {
        originTimes.contains(quake.originTime) && conditions.accepts(quake)
    }
}

extension QuakeFilter {
    package var withoutTimes: QuakeFilter {
        var filter = self
        filter.since = nil
        filter.until = nil
        return filter
    }
}
