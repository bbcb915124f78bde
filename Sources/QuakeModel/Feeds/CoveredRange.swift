/// A range of origin times for which the cache contains every quake that satisfies ``conditions``, as of ``asOf``,
/// except quakes with an id in question: an id whose meaning the event service has yet to confirm (rule 21 of
/// mirroring.md).
///
/// This guarantee excludes quakes that the service has since deleted, or revised so that they no longer satisfy
/// ``conditions``. If several requests were merged into the range, ``asOf`` is the earliest of their times. A quake
/// whose origin time the service revised between these requests may be missing until the next update, which requests
/// all changes since ``asOf``.
public struct CoveredRange: Hashable, Sendable, Codable {
    package enum Source: String, CaseIterable, Sendable, Codable {
        /// A summary feed other than a feed of significant quakes.
        case feed
        /// A query to the event service, refreshed like a feed.
        case query
        /// A backfill.
        case backfill
        /// The times for which a backfill also read the uncertainties of the quakes. The same times also have a range
        /// with the source `backfill`.
        case uncertainties

        /// Whether the range comes from a backfill, so that catalog updates keep it up to date.
        package var isFromBackfill: Bool { self == .backfill || self == .uncertainties }
    }

    package var source: Source
    /// The conditions, all of which the event service supports, such as magnitude, depth, area and type. They do not
    /// include a time range.
    public package(set) var conditions: QuakeFilter
    public package(set) var originTimes: Range<Timestamp>
    /// The time as of which the range is complete: the cache contains every change that the source published before it.
    public package(set) var asOf: Timestamp
    /// Whether the range was requested without an end, so that updates extend it to the present.
    package var isOpenEnded: Bool

    package init(
        source: Source = .backfill, conditions: QuakeFilter = QuakeFilter(), originTimes: Range<Timestamp>,
        asOf: Timestamp, isOpenEnded: Bool = false
    ) {
        self.source = source
        self.conditions = conditions
        self.originTimes = originTimes
        self.asOf = asOf
        self.isOpenEnded = isOpenEnded
    }

    /// Whether `quake` falls within the range.
    package func contains(_ quake: Quake) -> Bool {
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
