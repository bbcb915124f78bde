import ArgumentParser
import QuakeMirror
import QuakeStore

extension QuakeContext {
    /// Returns the period of counts by time: from the first time that is covered or has a quake, for any times of
    /// `filter`, to the end of the data. It begins and ends where `filter` does, but not after `now`, and includes
    /// `latest`, the origin time of the last quake counted. Nil if nothing is known of it.
    ///
    /// The coverage of past states is not recorded.
    func countedPeriod(of filter: QuakeFilter, latest: Timestamp?, now: Timestamp) throws -> Range<Timestamp>? {
        let data = try endOfData() ?? latest ?? now
        let requested = filter.until.map { min($0, isPast ? data : now) } ?? data
        let end = latest.map { max(requested, $0 + .milliseconds(1)) } ?? requested
        var all = filter
        all.since = nil
        let listed = try firstOriginTime(of: all)
        let covered = try isPast ? nil : sources.coverage().coveredTimes(within: all).ranges.first?.lowerBound
        // A backfill of the whole catalog covers the centuries before its first quake.
        let isWhole = covered.map { $0 <= CatalogQuery.beginning } ?? false
        let starts = [listed, isWhole ? try firstOriginTime() : covered]
        guard let known = starts.compactMap(\.self).min() else { return nil }
        let start = max(known, filter.since ?? known)
        return start < end ? start..<end : nil
    }

    /// The maximum number of spans: more than the hours of ten years, or the days of 250.
    private static let mostSpans = 100_000

    /// Returns the spans of local time in `zone` that overlap `period`, and whether the times of `filter` and the
    /// coverage include the whole span. Each start is what the zone's clocks show then, in UTC fields. Throws a usage
    /// error if there are more than 100,000.
    func spans(
        by unit: OriginTimeCounts.Unit, of filter: QuakeFilter, in period: Range<Timestamp>, _ zone: LocalTime
    ) throws -> [(start: Timestamp, isComplete: Bool)] {
        var held = Array(try sources.coverage().coveredTimes(within: filter).ranges)[...]
        var spans: [(start: Timestamp, isComplete: Bool)] = []
        var fields = unit.start(of: zone.shifted(period.lowerBound))
        var start = zone.moment(showing: fields)
        while start < period.upperBound {
            let next = unit.next(after: fields)
            let end = zone.moment(showing: next)
            while let first = held.first, first.upperBound < end { held.removeFirst() }
            // Clocks sometimes skip an hour.
            if start < end { spans.append((fields, held.first.map { $0.lowerBound <= start } ?? false)) }
            guard spans.count <= Self.mostSpans else {
                throw ValidationError(
                    "--by \(unit.rawValue) would print more than \(Self.mostSpans.grouped) rows. Use a longer period, "
                        + "or limit the times with --since and --until.")
            }
            // The last year that a time can have is followed by none.
            guard next > fields else { break }
            fields = next
            start = end
        }
        return spans
    }
}
