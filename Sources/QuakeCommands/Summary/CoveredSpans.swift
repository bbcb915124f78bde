import QuakeStore

extension QuakeContext {
    /// The spans on the clocks of `zone` of which the cache has all quakes or some, from the start of `filter` or its
    /// first quake on, and whether it has all. What a past state had before its first quake is not kept.
    func covered(
        by unit: OriginTimeCounts.Unit, _ filter: QuakeFilter, _ zone: LocalTime, now: Timestamp
    ) throws -> [(name: String, isComplete: Bool)] {
        let end = min(filter.until ?? now, try endOfData() ?? now)
        let first = try filter.since ?? firstOriginTime() ?? end
        var filter = filter
        if isPast { filter.since = max(filter.since ?? first, first) }
        filter.until = end
        var spans: [(name: String, isComplete: Bool)] = []
        for times in try sources.held(filter).ranges {
            var fields = unit.start(of: zone.shifted(max(times.lowerBound, first)))
            while case let start = zone.moment(showing: fields), start < times.upperBound {
                let (name, end) = (unit.name(of: fields), zone.moment(showing: unit.next(after: fields)))
                // Clocks leave out an hour now and then.
                if start < end { spans.append((name, times.lowerBound <= start && end <= times.upperBound)) }
                fields = unit.next(after: fields)
            }
        }
        return spans
    }
}
