/// The rules for choosing which ranges of the catalog to request, as pure functions. Backfills also request times
/// covered only by feeds, because such times are not kept up to date.
enum CatalogPlan {
    /// Returns the ranges to request for the quakes that `conditions` accept at these times, with the uncertainties
    /// that `coverage` requires.
    ///
    /// All these quakes are requested even if the cache already covers the larger of them. Otherwise, a quake whose
    /// magnitude was meanwhile revised across the limit would be missing.
    static func ranges(
        _ conditions: QuakeFilter, at times: RangeSet<Timestamp>, openEnd: Timestamp?, of coverage: Coverage
    ) -> [RequestedRange] {
        times.ranges.map { originTimes in
            RequestedRange(
                query: CatalogQuery(filter: conditions, originTimes: originTimes),
                purpose: .coverage(isOpenEnded: originTimes.upperBound == openEnd), of: coverage)
        }
    }

    /// Returns the requests that update `coverage`: for the changes in all covered times, and for the missing times,
    /// which may take many runs. Changes that were requested within the last day come after times that were never
    /// fetched. The newest quakes come last or, if the last run ended before it requested them, first.
    ///
    /// A quake that no longer meets the conditions stays in the cache, so changes are requested without conditions.
    static func updateRanges(
        of coverage: Coverage, now: Timestamp, quakes: CachedCount
    ) throws -> [RequestedRange] {
        let changes = changeRanges(of: coverage)
        let due = changes.filter { $0.isDue(at: now) }
        let recent = changes.filter { !$0.isDue(at: now) }
        let missing = try missingRanges(of: coverage, now: now, quakes: quakes)
        guard let oldest = coverage.backfilled.map(\.asOf).min() else { return missing }
        let newest = missing.filter { $0.followsUpdate(at: oldest) }
        let never = missing.filter { !$0.followsUpdate(at: oldest) }
        // The minute allows for the time between the request, at which the coverage ends, and the response.
        let waits = newest.contains { $0.originTimes.lowerBound + .seconds(60) < oldest }
        let others = due + never + recent
        return waits ? newest + others : others + newest
    }

    /// Returns the number of quakes in the cache that a filter accepts.
    typealias CachedCount = (QuakeFilter) throws -> Int

    /// The maximum number of cached quakes between two missing ranges that are joined into one request. The service
    /// needs about as long to send that many quakes again as to answer the two requests of a separate range: one for
    /// the count, one for the quakes.
    private static let maximumQuakesBetween = 2_000

    /// Returns the requested times that backfills have not fetched, joined across covered times with few quakes.
    /// Conditions that include smaller quakes come first, because their responses also contain the larger quakes.
    ///
    /// - Parameter quakes: counts quakes in the cache.
    static func missingRanges(
        of coverage: Coverage, now: Timestamp, quakes: CachedCount
    ) throws -> [RequestedRange] {
        let missing = coverage.missing(until: now)
        let requested = Dictionary(grouping: missing, by: \.conditions).mapValues { ranges in
            ranges.reduce(into: RangeSet<Timestamp>()) { $0.insert(contentsOf: $1.originTimes) }
        }
        return try requested.sorted { $0.key.coverageOrder < $1.key.coverageOrder }.reduce(into: []) { asked, part in
            let times = times(of: part, without: asked)
            let held = coverage.fetchedTimes(of: Coverage.Part(part.key))
            let joined = try times.withoutHoles { hole in
                guard held.ranges.contains(where: { $0.contains(hole) }) else { return false }
                var between = part.key
                between.since = hole.lowerBound
                between.until = hole.upperBound
                return try quakes(between) <= maximumQuakesBetween
            }
            asked += Self.ranges(part.key, at: RangeSet(joined), openEnd: now, of: coverage)
        }
    }

    /// Returns the times of a part that the requested ranges in `asked` do not include.
    private static func times(
        of part: (key: QuakeFilter, value: RangeSet<Timestamp>), without asked: [RequestedRange]
    ) -> RangeSet<Timestamp> {
        var times = part.value
        for other in asked where other.query.filter.includes(part.key) {
            times.remove(contentsOf: other.originTimes)
        }
        return times
    }

    /// Returns the requests for the changes since the last update of each covered range. The range with the oldest
    /// update comes first, so that each run resumes where the previous one stopped. Two ranges are requested together
    /// if the second range begins at most a day after the end of the first, and was updated at most a day after the
    /// first.
    private static func changeRanges(of coverage: Coverage) -> [RequestedRange] {
        let ranges = coverage.backfilled.flatMap { row in row.times.ranges.map { (asOf: row.asOf, times: $0) } }
        var requests: [(asOf: Timestamp, times: Range<Timestamp>)] = []
        for range in ranges.sorted(by: { ($0.asOf, $0.times.lowerBound) < ($1.asOf, $1.times.lowerBound) }) {
            let earlier = requests.lastIndex { request in
                let gap = range.times.lowerBound - request.times.upperBound
                return range.times.lowerBound >= request.times.lowerBound && gap <= RequestedRange.overlap
                    && range.asOf - request.asOf <= RequestedRange.overlap
            }
            if let earlier {
                requests[earlier].times = requests[earlier].times.spanning(range.times)
            } else {
                requests.append(range)
            }
        }
        return requests.map { request in
            let start = max(request.times.lowerBound - RequestedRange.overlap, CatalogQuery.beginning)
            let times = start..<request.times.upperBound + RequestedRange.overlap
            return RequestedRange(
                query: CatalogQuery(
                    filter: QuakeFilter(), originTimes: times, updatedAfter: request.asOf - RequestedRange.overlap),
                purpose: .update, of: coverage)
        }
    }

    /// Returns the ranges for all requested times, whether or not backfills have fetched them.
    static func allRequestedRanges(of coverage: Coverage, now: Timestamp) -> [RequestedRange] {
        let past = RangeSet(Timestamp.representable.lowerBound..<now)
        let parts = coverage.requested.filter { $0.key.source == .backfill }.map {
            (key: $0.key.conditions, value: $0.value)
        }
        return parts.sorted { $0.key.coverageOrder < $1.key.coverageOrder }.reduce(into: []) { asked, part in
            let times = times(of: part, without: asked).intersection(past)
            asked += Self.ranges(part.key, at: times, openEnd: now, of: coverage)
        }
    }
}

extension Coverage {
    fileprivate var backfilled: [CoveredTimes] { covered.filter(\.source.isFromBackfill) }
}

extension QuakeFilter {
    fileprivate var coverageOrder: Double { minimumMagnitude ?? -.infinity }
}

extension RangeSet<Timestamp> {
    init(_ ranges: [Range<Timestamp>]) {
        self.init()
        for range in ranges { insert(contentsOf: range) }
    }

    /// Returns the ranges, joined across the gaps that `isFilled` accepts.
    fileprivate func withoutHoles(_ isFilled: (Range<Timestamp>) throws -> Bool) rethrows -> [Range<Timestamp>] {
        try ranges.reduce(into: []) { united, range in
            if let last = united.last, try isFilled(last.upperBound..<range.lowerBound) {
                united[united.count - 1] = last.lowerBound..<range.upperBound
            } else {
                united.append(range)
            }
        }
    }
}
