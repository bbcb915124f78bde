/// A range of origin times for which the cache contains every quake that satisfies ``conditions``, as of ``asOf``,
/// except quakes whose ids are in question: the event service has not settled them yet (rule 21 of mirroring.md).
///
/// It does not cover quakes that the service has since deleted, or revised so that they no longer satisfy
/// ``conditions``. If it was merged from several requests, ``asOf`` is the earliest of their times. A quake whose
/// origin time the service revised between these requests may be missing until the next update, which requests all
/// changes since then.
public struct CoveredRange: Hashable, Sendable, Codable {
    package enum Source: String, CaseIterable, Sendable, Codable {
        /// A summary feed, except a feed of significant quakes.
        case feed
        /// A query to the event service, refreshed like a feed.
        case query
        /// A backfill.
        case backfill
        /// A backfill that also read the uncertainties of the quakes. The same times then have a second range with the
        /// source `backfill`; this one is about the uncertainties.
        case uncertainties

        /// Whether catalog updates keep the range up to date.
        package var isFromBackfill: Bool { self == .backfill || self == .uncertainties }
    }

    package var source: Source
    /// Conditions that the event service supports, such as magnitude, depth, area and type. They do not limit the time.
    public package(set) var conditions: QuakeFilter
    public package(set) var originTimes: Range<Timestamp>
    /// The moment up to which the range holds: the cache contains every change that the source published before it.
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
