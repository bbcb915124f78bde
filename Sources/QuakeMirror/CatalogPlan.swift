/// A time range to ask the event service about, in one window or several, and what its answers are good for.
struct CatalogRange: Hashable {
    /// What its answers make of the claims.
    enum Purpose: Hashable {
        /// The cache holds what was asked for.
        case claim(isOpenEnded: Bool)
        /// What backfills cover is brought up to date.
        case update
    }

    var query: CatalogQuery
    var purpose: Purpose

    var originTimes: Range<Timestamp> { query.originTimes }

    /// The same question about other origin times.
    func `in`(_ originTimes: Range<Timestamp>) -> CatalogRange {
        var stretch = self
        stretch.query.originTimes = originTimes
        return stretch
    }
}

/// Which stretches of the catalog to ask for: pure rules. What feeds have brought is not kept up to date, so that a
/// backfill asks for it.
enum CatalogPlan {
    /// An update asks for a day more: the service may publish changes hours after the time of their products.
    static let overlap = Duration.seconds(86_400)

    /// What to ask for of the quakes that `conditions` accept at these times.
    ///
    /// Where the cache holds larger quakes only, all are asked for: a quake that was revised from one side of the limit
    /// to the other meanwhile is in neither half.
    static func stretches(
        _ conditions: QuakeFilter, at times: RangeSet<Timestamp>, openEnd: Timestamp?
    ) -> [CatalogRange] {
        times.ranges.map { originTimes in
            CatalogRange(
                query: CatalogQuery(filter: conditions, originTimes: originTimes),
                purpose: .claim(isOpenEnded: originTimes.upperBound == openEnd))
        }
    }

    /// The requests that bring `coverage` up to date: the changes of all that is covered, then what is missing of what
    /// was asked for, so that a part far from complete does not keep the others waiting; the new quakes first where a
    /// run ended between the two.
    ///
    /// A quake that was revised out of the conditions of a part is still in the cache, so changes are asked for without
    /// them.
    static func updates(of coverage: Coverage, now: Timestamp) -> [CatalogRange] {
        let changes = changes(of: coverage)
        let missing = missing(of: coverage, now: now)
        guard let oldest = coverage.backfilled.map(\.asOf).min() else { return missing }
        let waits = missing.contains { stretch in
            let start = stretch.originTimes.lowerBound
            // An answer is made a moment after the question that it extends a part to.
            return stretch.purpose == .claim(isOpenEnded: true) && start + .seconds(60) < oldest
                && oldest - start < overlap * 2
        }
        return waits ? missing + changes : changes + missing
    }

    /// What is missing of what backfills asked for. The smallest quakes first: those questions bring the larger ones
    /// too.
    private static func missing(of coverage: Coverage, now: Timestamp) -> [CatalogRange] {
        coverage.missing(until: now).sorted(by: isOfSmallerQuakes).reduce(into: []) { asked, part in
            var times = RangeSet(part.originTimes)
            for other in asked where other.query.filter.includes(part.conditions) {
                times.remove(contentsOf: other.originTimes)
            }
            asked += stretches(part.conditions, at: times, openEnd: now)
        }
    }

    /// The changes since the moment of each part, those of one day in one question, over a hole of a day at most.
    private static func changes(of coverage: Coverage) -> [CatalogRange] {
        var groups: [(asOf: Timestamp, times: RangeSet<Timestamp>)] = []
        for row in coverage.backfilled.sorted(by: { $0.asOf < $1.asOf }) {
            if let last = groups.last, row.asOf - last.asOf <= overlap {
                groups[groups.count - 1].times.formUnion(row.times)
            } else {
                groups.append((row.asOf, row.times))
            }
        }
        return groups.flatMap { group in
            group.times.withoutHoles(upTo: overlap).map { originTimes in
                CatalogRange(
                    query: CatalogQuery(
                        filter: QuakeFilter(), originTimes: originTimes, updatedAfter: group.asOf - overlap),
                    purpose: .update)
            }
        }
    }

    /// What `coverage` holds, once more, and what is missing of what was asked for.
    static func again(_ coverage: Coverage, now: Timestamp) -> [CatalogRange] {
        coverage.parts.sorted { $0.key.claimOrder < $1.key.claimOrder }.flatMap { conditions, times in
            stretches(
                conditions, at: times.intersection(RangeSet(Timestamp.representable.lowerBound..<now)), openEnd: now)
        }
    }

    private static func isOfSmallerQuakes(_ left: Claim, _ right: Claim) -> Bool {
        left.conditions.claimOrder < right.conditions.claimOrder
    }
}

extension Coverage {
    fileprivate var backfilled: [CoveredTimes] { covered.filter { $0.source == .backfill } }
}

extension QuakeFilter {
    fileprivate var claimOrder: Double { minimumMagnitude ?? -.infinity }
}

extension RangeSet<Timestamp> {
    /// The ranges, united over holes that are no longer than `length`.
    fileprivate func withoutHoles(upTo length: Duration) -> [Range<Timestamp>] {
        ranges.reduce(into: []) { united, range in
            if let last = united.last, range.lowerBound - last.upperBound <= length {
                united[united.count - 1] = last.lowerBound..<range.upperBound
            } else {
                united.append(range)
            }
        }
    }
}

package enum BackfillRequest: Hashable, Sendable {
    /// The quakes that a filter accepts, as far as the cache does not hold them; with `again`, all of them.
    case part(QuakeFilter, again: Bool)
    /// What backfills asked for, once more.
    case again
    /// What is missing of it, and what changed in it.
    case update

    /// What to ask for where the cache has `coverage`.
    func stretches(_ coverage: Coverage, now: Timestamp) -> [CatalogRange] {
        switch self {
        case .update: return CatalogPlan.updates(of: coverage, now: now)
        case .again: return CatalogPlan.again(coverage, now: now)
        case .part(let filter, let again):
            let conditions = filter.withoutTimes
            var times = RangeSet(filter.start..<max(filter.start, filter.until ?? now))
            if !again { times.subtract(coverage.held(conditions)) }
            return CatalogPlan.stretches(conditions, at: times, openEnd: filter.until == nil ? now : nil)
        }
    }
}

extension QuakeFilter {
    /// Where a backfill begins: without a time, with the catalog.
    var start: Timestamp { since ?? CatalogQuery.beginning }
}
