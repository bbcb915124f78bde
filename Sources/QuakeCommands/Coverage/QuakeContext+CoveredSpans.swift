import ArgumentParser
import QuakeMirror
import QuakeStore

extension QuakeContext {
    /// Returns the period for counts by time; nil if it is empty, or if there is neither coverage nor a quake.
    ///
    /// The period begins at the start of the coverage or the first quake, whichever is earlier, and ends with the data.
    /// `filter` can move the start later, and the end to any time up to `now` or, in a past state, the end of the data.
    /// In any case, the period includes `latest`, the origin time of the last quake counted.
    ///
    /// The coverage of past states is not recorded, so their periods begin with a quake.
    func countedPeriod(of filter: QuakeFilter, latest: Timestamp?, now: Timestamp) throws -> Range<Timestamp>? {
        let data = try endOfData() ?? latest ?? now
        let requested = filter.until.map { min($0, isPast ? data : now) } ?? data
        let end = latest.map { max(requested, $0 + .milliseconds(1)) } ?? requested
        var all = filter
        all.since = nil
        let listed = try firstOriginTime(of: all)
        let covered = try isPast ? nil : sources.coverage().coveredTimes(within: all).ranges.first?.lowerBound
        // Coverage from the beginning of the catalog includes centuries before the first quake.
        let isWhole = covered.map { $0 <= CatalogQuery.beginning } ?? false
        let starts = [listed, isWhole ? try firstOriginTime() : covered]
        guard let known = starts.compactMap(\.self).min() else { return nil }
        let start = max(known, filter.since ?? known)
        return start < end ? start..<end : nil
    }

    /// The maximum number of spans, which is more than ten years of hours or 250 years of days.
    private static let spanLimit = 100_000

    /// Returns the hours, days, weeks or months of local time in `zone` that overlap `period`. A span is complete if
    /// the coverage and the times of `filter` include all of it. The start of a span is its local time, stored as if it
    /// were in UTC.
    ///
    /// Throws a usage error if there are more than 100,000.
    func spans(
        by unit: OriginTimeCounts.Unit, of filter: QuakeFilter, in period: Range<Timestamp>, _ zone: DisplayTimeZone
    ) throws -> [(start: Timestamp, isComplete: Bool)] {
        var held = Array(try sources.coverage().coveredTimes(within: filter).ranges)[...]
        var spans: [(start: Timestamp, isComplete: Bool)] = []
        var fields = unit.start(of: zone.shifted(period.lowerBound))
        var start = zone.moment(showing: fields)
        while start < period.upperBound {
            let next = unit.next(after: fields)
            let end = zone.moment(showing: next)
            while let first = held.first, first.upperBound < end { held.removeFirst() }
            // Skip an hour that does not exist, because clocks were set forward.
            if start < end { spans.append((fields, held.first.map { $0.lowerBound <= start } ?? false)) }
            guard spans.count <= Self.spanLimit else {
                throw ValidationError(
                    "--by \(unit.rawValue) would print more than \(Self.spanLimit.grouped) rows. Group by a "
                        + "longer unit, such as month, or narrow the time range with --since and --until.")
            }
            // After the last representable span, `next` does not advance.
            guard next > fields else { break }
            fields = next
            start = end
        }
        return spans
    }
}
