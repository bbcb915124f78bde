public import FoundationEssentials

/// A request for quakes, with conditions, an order and a limit.
public struct QuakeDescriptor: Sendable {
    /// A condition that quakes must meet besides the filter; nil for none.
    ///
    /// A quake that lacks a value does not match a predicate that unwraps the value with `!`. A cache evaluates part of
    /// a predicate as SQL: comparisons of numbers and times with constants and ranges, joined by `&&`, even with
    /// optional values that are unwrapped with `??` or `!`. Such comparisons take about twice as long as the same
    /// condition in ``filter``. Any other condition, such as one on text or with `||` or `!=`, is tested in memory on
    /// every quake that the filter accepts. Finding the quakes of one day among 100,000 takes more than 100 times as
    /// long this way.
    public var predicate: Predicate<Quake>?
    public var filter: QuakeFilter
    /// The sort keys, most significant first. Remaining ties are broken by id.
    public var sortKeys: [QuakeSortKey]
    /// The maximum number of quakes to fetch; nil for no limit.
    public var limit: Int?
    /// The number of matching quakes to skip.
    public var offset: Int

    /// Creates a descriptor; without arguments, it fetches every quake, newest first.
    public init(
        predicate: Predicate<Quake>? = nil, filter: QuakeFilter = QuakeFilter(), sortBy sort: QuakeSort = .time,
        order: QuakeSortKey.Order? = nil, limit: Int? = nil, offset: Int = 0
    ) {
        self.init(
            predicate: predicate, filter: filter, sortBy: [QuakeSortKey(sort, order: order)], limit: limit,
            offset: offset)
    }

    /// Creates a descriptor with several sort keys.
    public init(
        predicate: Predicate<Quake>? = nil, filter: QuakeFilter = QuakeFilter(), sortBy keys: [QuakeSortKey],
        limit: Int? = nil, offset: Int = 0
    ) {
        self.predicate = predicate
        self.filter = filter
        sortKeys = keys
        self.limit = limit
        self.offset = offset
    }
}
