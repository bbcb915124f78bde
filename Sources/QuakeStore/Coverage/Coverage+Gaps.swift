extension Coverage {
    /// Uncovered ranges up to this length do not count as gaps. A document that deletes a quake uncovers one
    /// millisecond.
    private static let longestIgnoredGap = Duration.seconds(60)
    /// Up to this length, an uncovered range at the end of a filter's times does not count as a gap, because documents
    /// are requested one after another.
    private static let longestUncoveredEnd = Duration.seconds(3600)

    /// Returns the ranges of origin times in which quakes may be missing, oldest first: the gaps between ranges covered
    /// without conditions and, if the last such range ends more than 30 days before `now`, the time from its end to 30
    /// days before `now`, where the longest feed begins. Times before the first range covered by a feed are excluded.
    package func gaps(at now: Timestamp) -> [Range<Timestamp>] {
        guard let first = times(where: { $0.source == .feed && $0.conditions == QuakeFilter() }).ranges.first else {
            return []
        }
        let covered = times { $0.conditions == QuakeFilter() }
        let end = max(covered.ranges.last?.upperBound ?? now, now - FeedName.Period.month.window)
        return RangeSet(first.lowerBound..<end).subtracting(covered).ranges.filter {
            $0.isLonger(than: Self.longestIgnoredGap)
        }
    }

    /// Returns the part of the filter's origin times for which the cache contains every quake that the filter accepts.
    package func coveredTimes(within filter: QuakeFilter) -> RangeSet<Timestamp> {
        let first = filter.since ?? Timestamp.representable.lowerBound
        let asked = RangeSet(first..<max(first, filter.until ?? Self.forever))
        let held = times { $0.conditions.includes(filter.withoutTimes) }
        return asked.subtracting(
            RangeSet(asked.subtracting(held).ranges.filter { $0.isLonger(than: Self.longestIgnoredGap) }))
    }

    /// Returns the ranges in which the cache may lack quakes that `filter` accepts, oldest first; none if the filter
    /// has no start. If the filter has no end, the check stops at the end of the coverage.
    package func gaps(in filter: QuakeFilter) -> [Range<Timestamp>] {
        let ends = covered.compactMap(\.times.ranges.last?.upperBound)
        guard let since = filter.since, let end = filter.until ?? ends.max(), since < end else { return [] }
        let held = times { $0.conditions.includes(filter.withoutTimes) }
        return RangeSet(since..<end).subtracting(held).ranges.filter { gap in
            gap.isLonger(
                than: gap.upperBound < end
                    ? Self.longestIgnoredGap : gap.lowerBound > since ? Self.longestUncoveredEnd : .zero)
        }
    }
}

extension Range<Timestamp> {
    fileprivate func isLonger(than length: Duration) -> Bool { upperBound - lowerBound > length }
}
