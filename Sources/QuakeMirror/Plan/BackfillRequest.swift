package enum BackfillRequest: Hashable, Sendable {
    /// The quakes that a filter accepts, except those already covered unless `again` is true.
    case quakes(QuakeFilter, again: Bool)
    /// All times that backfills have requested, even those already fetched.
    case again
    /// The requested times that backfills have not fetched, and the changes in those that they have.
    case update

    /// Returns the ranges to request for a cache with `coverage`.
    ///
    /// - Parameter quakes: counts quakes in the cache.
    func ranges(
        _ coverage: Coverage, now: Timestamp, quakes: CatalogPlan.CachedCount
    ) throws -> [RequestedRange] {
        switch self {
        case .update: return try CatalogPlan.updates(of: coverage, now: now, quakes: quakes)
        case .again: return CatalogPlan.again(coverage, now: now)
        case .quakes(let filter, let again):
            let conditions = filter.withoutTimes
            var times = RangeSet(filter.start..<max(filter.start, filter.until ?? now))
            if !again { times.subtract(coverage.held(conditions)) }
            return CatalogPlan.ranges(conditions, at: times, openEnd: filter.until == nil ? now : nil)
        }
    }
}

extension QuakeFilter {
    /// The start of a backfill with this filter: its `since`, or the beginning of the catalog.
    var start: Timestamp { since ?? CatalogQuery.beginning }
}
