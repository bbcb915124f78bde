/// The origin times that backfills requested, the times for which the cache is complete as of some moment, and the ids
/// that are still unresolved. This type needs no database.
///
/// The cache contains every quake in the covered times except the unresolved ones. Anything that makes a quake's
/// presence uncertain removes the quake's day from backfill coverage and its exact origin time from feed coverage,
/// because a superfluous request costs less than false coverage.
package struct Coverage: Equatable {
    /// The origin times that backfills requested, keyed by their conditions. Updates fetch the times that are still
    /// missing. A request without an end extends to ``forever``.
    package private(set) var requested: [QuakeFilter: RangeSet<Timestamp>]
    /// The covered times, sorted by their first origin time.
    package private(set) var covered: [CoveredTimes]
    /// The unresolved ids, sorted.
    package private(set) var idsInQuestion: [IDInQuestion]

    /// Origin times for which the cache is complete as of one moment, according to the event service or a feed.
    package struct CoveredTimes: Hashable {
        package let source: CoveredRange.Source
        package let conditions: QuakeFilter
        package fileprivate(set) var asOf: Timestamp
        package fileprivate(set) var times: RangeSet<Timestamp>

        func isLike(_ other: CoveredTimes) -> Bool { source == other.source && conditions == other.conditions }
    }

    /// The end of a requested range that updates extend to the present.
    package static let forever = Timestamp.representable.upperBound

    /// - Parameter requested: the ranges that backfills requested. Those without an end extend to ``forever``.
    package init(
        _ coveredRanges: [CoveredRange] = [], requested: [CoveredRange] = [], idsInQuestion: [IDInQuestion] = []
    ) {
        self.requested = requested.reduce(into: [:]) {
            $0[$1.conditions, default: RangeSet()].insert(contentsOf: $1.originTimes)
        }
        covered = coveredRanges.map(CoveredTimes.init)
        self.idsInQuestion = idsInQuestion
        settle()
    }

    /// The covered times as covered ranges, earliest origin times first.
    package var coveredRanges: [CoveredRange] {
        covered.flatMap { row in
            row.times.ranges.map { originTimes in
                CoveredRange(
                    source: row.source, conditions: row.conditions, originTimes: originTimes, asOf: row.asOf,
                    isOpenEnded: row.source == .backfill && isExtended(row.conditions, from: originTimes.upperBound))
            }
        }
        .sorted { ($0.originTimes.lowerBound, $0.asOf) < ($1.originTimes.lowerBound, $1.asOf) }
    }

    /// The times that backfills requested, in the form that ``init(_:requested:idsInQuestion:)`` accepts.
    var requestedRanges: [CoveredRange] { Self.ranges(of: requested) }

    private static func ranges(of requested: [QuakeFilter: RangeSet<Timestamp>]) -> [CoveredRange] {
        requested.flatMap { conditions, times in
            times.ranges.map { originTimes in
                CoveredRange(
                    conditions: conditions, originTimes: originTimes, asOf: originTimes.lowerBound,
                    isOpenEnded: originTimes.upperBound == forever)
            }
        }
        .sorted { ($0.originTimes.lowerBound, $0.asOf) < ($1.originTimes.lowerBound, $1.asOf) }
    }

    /// Whether updates extend the covered range that ends at `end` to the present time.
    private func isExtended(_ conditions: QuakeFilter, from end: Timestamp) -> Bool {
        guard let last = requested[conditions]?.ranges.last, last.upperBound == Self.forever, last.lowerBound <= end
        else {
            return false
        }
        return !covered.contains { row in
            row.source == .backfill && row.conditions == conditions
                && row.times.ranges.last.map { $0.upperBound > end } ?? false
        }
    }

    /// Returns the origin times for which backfills have fetched all quakes that `conditions` accept.
    package func held(_ conditions: QuakeFilter) -> RangeSet<Timestamp> {
        times { $0.source == .backfill && $0.conditions.includes(conditions) }
    }

    /// Returns the requested origin times before `end` that backfills have not fetched, earliest first.
    package func missing(until end: Timestamp) -> [CoveredRange] {
        var missing = requested
        for (conditions, times) in requested {
            missing[conditions] = times.subtracting(held(conditions))
            missing[conditions]?.remove(contentsOf: end..<max(end, Self.forever))
        }
        return Self.ranges(of: missing)
    }

    func times(where isMeant: (CoveredTimes) -> Bool) -> RangeSet<Timestamp> {
        covered.reduce(into: RangeSet()) { if isMeant($1) { $0.formUnion($1.times) } }
    }

    // MARK: Adding

    /// Records that a backfill requests these origin times.
    package mutating func request(_ conditions: QuakeFilter, in originTimes: Range<Timestamp>) {
        requested[conditions, default: RangeSet()].formUnion(RangeSet(originTimes))
        settle()
    }

    /// Adds a covered range, and removes its times from the others of the same source. Omits `exceptions`, and times
    /// already in a newer range of that source or, for a feed, in any wider range.
    package mutating func add(_ range: CoveredRange, except exceptions: RangeSet<Timestamp> = RangeSet()) {
        var added = CoveredTimes(range)
        added.times.subtract(exceptions)
        for row in covered where row.source == range.source && row.conditions.includes(range.conditions) {
            let isWider = range.source == .feed && row.conditions != range.conditions
            if row.asOf > range.asOf || isWider { added.times.subtract(row.times) }
        }
        for index in covered.indices where covered[index].source == range.source {
            if range.conditions.includes(covered[index].conditions) { covered[index].times.subtract(added.times) }
        }
        covered.append(added)
        settle()
    }

    /// Records that the cache contains all changes published from `start` to `moment` to quakes in these times.
    package mutating func advance(_ originTimes: Range<Timestamp>, from start: Timestamp, to moment: Timestamp) {
        for index in covered.indices
        where covered[index].source == .backfill && start <= covered[index].asOf && covered[index].asOf < moment {
            var advanced = covered[index]
            advanced.times.formIntersection(RangeSet(originTimes))
            advanced.asOf = moment
            covered[index].times.subtract(advanced.times)
            covered.append(advanced)
        }
        settle()
    }

    /// Removes these times from all backfills whose conditions `filter` includes, along with the ids in question there.
    mutating func forget(_ filter: QuakeFilter, in originTimes: Range<Timestamp>) {
        for conditions in requested.keys where filter.includes(conditions) {
            requested[conditions]?.remove(contentsOf: originTimes)
        }
        for index in covered.indices where covered[index].source == .backfill {
            if filter.includes(covered[index].conditions) { covered[index].times.remove(contentsOf: originTimes) }
        }
        settle()
        let kept = requested.values.reduce(into: times { _ in true }) { $0.formUnion($1) }
        idsInQuestion.removeAll { $0.originTimes.overlaps(originTimes) && kept.isDisjoint(RangeSet($0.originTimes)) }
    }

    /// Puts an id in question. If it already is, its range grows, and its unsettled answers still count.
    mutating func putInQuestion(_ idInQuestion: IDInQuestion) {
        var idInQuestion = idInQuestion
        if let earlier = idsInQuestion.first(where: { $0.id.isSameID(as: idInQuestion.id) }) {
            idInQuestion.originTimes = idInQuestion.originTimes.spanning(earlier.originTimes)
            idInQuestion.raised = max(idInQuestion.raised, earlier.raised)
            idInQuestion.unsettledAnswers = earlier.unsettledAnswers
            idInQuestion.lastAnswer = earlier.lastAnswer
        }
        drop(idInQuestion.id)
        idsInQuestion.append(idInQuestion)
        settle()
    }

    /// Records an answer that settled nothing, received at `now`.
    package mutating func addUnsettledAnswer(about id: String, at now: Timestamp) {
        guard let index = idsInQuestion.firstIndex(where: { $0.id.isSameID(as: id) }) else { return }
        idsInQuestion[index].unsettledAnswers += 1
        idsInQuestion[index].lastAnswer = now
    }

    /// Removes an id that has been resolved.
    mutating func drop(_ id: String) { idsInQuestion.removeAll { $0.id.isSameID(as: id) } }

    // MARK: Removing

    /// Removes the coverage that is no longer certain.
    mutating func remove(_ losses: CoverageLosses) {
        for (conditions, span) in losses.byUser {
            let lost = RangeSet(span)
            let days = lost.wholeDays
            requested[conditions]?.subtract(days)
            for index in covered.indices where covered[index].conditions == conditions {
                covered[index].times.subtract(covered[index].source == .backfill ? days : lost)
            }
        }
        let days = losses.byDocuments.wholeDays
        for index in covered.indices {
            covered[index].times.subtract(covered[index].source == .backfill ? days : losses.byDocuments)
        }
        settle()
    }

    /// Removes `days` from the times that backfills cover, so that the next update fetches them again.
    mutating func expire(_ days: RangeSet<Timestamp>) {
        for index in covered.indices where covered[index].source == .backfill { covered[index].times.subtract(days) }
        settle()
    }

    /// Returns the part of this coverage that `other` lacks, apart from ids in question.
    func subtracting(_ other: Coverage) -> Coverage {
        var rest = self
        for (conditions, times) in other.requested { rest.requested[conditions]?.subtract(times) }
        for index in rest.covered.indices {
            let row = rest.covered[index]
            rest.covered[index].times.subtract(other.times { $0.isLike(row) })
        }
        rest.settle()
        return rest
    }

    /// Adds the ranges as they were when they were removed. Nothing else may have changed the coverage since.
    mutating func restore(_ coveredRanges: [CoveredRange]) {
        covered += coveredRanges.map(CoveredTimes.init)
        settle()
    }

    // MARK: Normalizing

    private mutating func settle() {
        merge()
        idsInQuestion.sort { $0.id < $1.id }
    }

    /// Merges times that are complete as of the same moment or, for feeds, as of the same day. Merging moments further
    /// apart would make coverage seem much older than it is. A weekly feed of a month leaves a row for each week.
    private mutating func merge() {
        requested = requested.filter { !$0.value.isEmpty }
        var groups: [CoveredTimes: CoveredTimes] = [:]
        for row in covered where !row.times.isEmpty {
            // Rows with the same source, conditions and moment or day form a group.
            var group = row
            if row.source != .backfill { group.asOf = row.asOf.day.lowerBound }
            group.times = RangeSet()
            var united = groups[group] ?? row
            united.times.formUnion(row.times)
            united.asOf = min(united.asOf, row.asOf)
            groups[group] = united
        }
        covered = groups.values.sorted { $0.precedes($1) }
    }
}

extension Coverage.CoveredTimes {
    init(_ range: CoveredRange) {
        source = range.source
        conditions = range.conditions
        asOf = range.asOf
        times = RangeSet(range.originTimes)
    }

    /// Whether the row comes before `other` in the order of time, which equal times do not leave to chance.
    fileprivate func precedes(_ other: Self) -> Bool {
        let place = (times.ranges.first?.lowerBound ?? asOf, asOf, source.rawValue)
        let otherPlace = (other.times.ranges.first?.lowerBound ?? other.asOf, other.asOf, other.source.rawValue)
        guard place == otherPlace else { return place < otherPlace }
        return conditions.coverageJSON < other.conditions.coverageJSON
    }
}

extension RangeSet<Timestamp> {
    init(_ range: Range<Timestamp>) { self.init([range].filter { !$0.isEmpty }) }

    /// Creates a range of one millisecond for each of `moments`.
    package init(instants moments: Set<Timestamp>) {
        self.init(moments.sorted().map { $0..<$0 + .milliseconds(1) })
    }

    /// The UTC days that these times overlap.
    var wholeDays: RangeSet<Timestamp> {
        RangeSet(ranges.map { $0.lowerBound.day.lowerBound..<($0.upperBound - .milliseconds(1)).day.upperBound })
    }
}

extension Timestamp {
    /// The UTC day that contains this time.
    var day: Range<Timestamp> {
        let length: Int64 = 86_400_000
        let past = milliseconds % length
        let start = Timestamp(milliseconds: milliseconds - (past < 0 ? past + length : past))
        return start..<start + .milliseconds(length)
    }
}
