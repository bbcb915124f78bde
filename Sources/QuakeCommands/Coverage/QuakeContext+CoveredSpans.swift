import QuakeStore

extension QuakeContext {
    /// Returns the spans of local time in `zone` that the cache covers, from the start of `filter` or its first quake,
    /// and whether it covers each span completely. In a past state, coverage before the first quake is unknown.
    func covered(
        by unit: OriginTimeCounts.Unit, _ filter: QuakeFilter, _ zone: LocalTime, now: Timestamp
    ) throws -> [(name: String, isComplete: Bool)] {
        let end = min(filter.until ?? now, try endOfData() ?? now)
        let first = try filter.since ?? firstOriginTime() ?? end
        var filter = filter
        if isPast { filter.since = max(filter.since ?? first, first) }
        filter.until = end
        var spans: [(name: String, isComplete: Bool)] = []
        for times in try sources.coverage().held(within: filter).ranges {
            var fields = unit.start(of: zone.shifted(max(times.lowerBound, first)))
            while case let start = zone.moment(showing: fields), start < times.upperBound {
                let name = unit.name(of: fields)
                let end = zone.moment(showing: unit.next(after: fields))
                // Clocks sometimes skip an hour.
                if start < end { spans.append((name, times.lowerBound <= start && end <= times.upperBound)) }
                fields = unit.next(after: fields)
            }
        }
        return spans
    }
}
