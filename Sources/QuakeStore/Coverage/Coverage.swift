/// The origin times that backfills requested, the times for which the cache is complete as of some moment, and the ids
/// in question (``IDInQuestion``). The rules in this file need no database.
///
/// The cache contains every quake in the covered times except quakes whose ids are in question. Anything that makes a
/// quake's presence uncertain removes the quake's day from backfill coverage and its exact origin time from feed
/// coverage, because a superfluous request costs less than false coverage.
package struct Coverage: Equatable {
    /// The origin times that backfills requested. Updates fetch the times that are not covered yet. A request without
    /// an end extends to ``forever``. Wherever uncertainties are requested, the quakes are requested, too.
    package private(set) var requested: [Part: RangeSet<Timestamp>]
    /// The covered times, sorted by their first origin time.
    package private(set) var covered: [CoveredTimes]
    /// The ids about which the event service must still be asked, sorted.
    package private(set) var idsInQuestion: [IDInQuestion]

    /// The end of a requested range that updates extend to the present.
    package static let forever = Timestamp.representable.upperBound

    /// - Parameter requested: the ranges that backfills requested. Ranges without an end extend to ``forever``.
    package init(
        _ coveredRanges: [CoveredRange] = [], requested: [CoveredRange] = [], idsInQuestion: [IDInQuestion] = []
    ) {
        self.requested = requested.reduce(into: [:]) {
            $0[$1.part, default: RangeSet()].insert(contentsOf: $1.originTimes)
        }
        covered = coveredRanges.map(CoveredTimes.init)
        self.idsInQuestion = idsInQuestion
        normalize()
    }

    /// The covered times as covered ranges, earliest origin times first.
    package var coveredRanges: [CoveredRange] {
        covered.flatMap { row in
            row.times.ranges.map { originTimes in
                CoveredRange(
                    source: row.source, conditions: row.conditions, originTimes: originTimes, asOf: row.asOf,
                    isOpenEnded: row.source.isFromBackfill && isExtended(row.part, from: originTimes.upperBound))
            }
        }
        .sorted { ($0.originTimes.lowerBound, $0.asOf) < ($1.originTimes.lowerBound, $1.asOf) }
    }

    /// The times that backfills requested, in the form that ``init(_:requested:idsInQuestion:)`` accepts.
    var requestedRanges: [CoveredRange] { Self.ranges(of: requested) }

    private static func ranges(of requested: [Part: RangeSet<Timestamp>]) -> [CoveredRange] {
        requested.flatMap { part, times in
            times.ranges.map { originTimes in
                CoveredRange(
                    source: part.source, conditions: part.conditions, originTimes: originTimes,
                    asOf: originTimes.lowerBound, isOpenEnded: originTimes.upperBound == forever)
            }
        }
        .sorted { ($0.originTimes.lowerBound, $0.asOf) < ($1.originTimes.lowerBound, $1.asOf) }
    }

    /// Whether updates extend the covered range of `part` that ends at `end` to the present.
    private func isExtended(_ part: Part, from end: Timestamp) -> Bool {
        guard let last = requested[part]?.ranges.last, last.upperBound == Self.forever, last.lowerBound <= end
        else {
            return false
        }
        return !covered.contains { row in
            row.part == part && row.times.ranges.last.map { $0.upperBound > end } ?? false
        }
    }

    /// Returns the origin times for which backfills have fetched all of `part`, perhaps along with other quakes.
    package func fetchedTimes(of part: Part) -> RangeSet<Timestamp> {
        times { $0.source == part.source && $0.conditions.includes(part.conditions) }
    }

    /// Returns the requested origin times before `end`, earliest first, for which backfills have not yet fetched the
    /// quakes or, where requested, the uncertainties.
    package func missing(until end: Timestamp) -> [CoveredRange] {
        let missing = requested.reduce(into: [Part: RangeSet<Timestamp>]()) { missing, request in
            let times = request.value.subtracting(fetchedTimes(of: request.key))
            missing[Part(request.key.conditions), default: RangeSet()].formUnion(times)
        }
        let past = RangeSet(Timestamp.representable.lowerBound..<max(end, Timestamp.representable.lowerBound))
        return Self.ranges(of: missing.mapValues { $0.intersection(past) })
    }

    /// The origin times for which backfills requested the uncertainties of any quakes.
    package var requestedUncertainties: RangeSet<Timestamp> {
        requested.reduce(into: RangeSet()) { if $1.key.source == .uncertainties { $0.formUnion($1.value) } }
    }

    func times(where isMeant: (CoveredTimes) -> Bool) -> RangeSet<Timestamp> {
        covered.reduce(into: RangeSet()) { if isMeant($1) { $0.formUnion($1.times) } }
    }

    // MARK: Adding

    /// Records that a backfill requests the quakes that meet `conditions` in these origin times or, with the source
    /// `uncertainties`, the uncertainties of these quakes.
    package mutating func request(
        _ conditions: QuakeFilter, in originTimes: Range<Timestamp>, source: CoveredRange.Source = .backfill
    ) {
        requested[Part(conditions, source), default: RangeSet()].formUnion(RangeSet(originTimes))
        normalize()
    }

    /// Records that a backfill requests the uncertainties of all quakes requested so far.
    package mutating func requestUncertainties() {
        for (part, times) in requested where part.source == .backfill {
            requested[Part(part.conditions, .uncertainties), default: RangeSet()].formUnion(times)
        }
    }

    /// Adds a covered range, and removes its times from the ranges of the same source with the same or narrower
    /// conditions. Some times are not added: `exceptions`; times in a newer range of the same source with the same or
    /// wider conditions; and, for the source `feed`, times in any feed's range with wider conditions.
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
        normalize()
    }

    /// Records that, for quakes in these origin times, the cache contains all changes published from `start` to
    /// `moment`.
    ///
    /// - Parameter hasUncertainties: whether the changes include changes of uncertainties.
    package mutating func advance(
        _ originTimes: Range<Timestamp>, from start: Timestamp, to moment: Timestamp, hasUncertainties: Bool = true
    ) {
        for index in covered.indices
        where covered[index].source.isFromBackfill && start <= covered[index].asOf && covered[index].asOf < moment
            && (hasUncertainties || covered[index].source != .uncertainties)
        {
            var advanced = covered[index]
            advanced.times.formIntersection(RangeSet(originTimes))
            advanced.asOf = moment
            covered[index].times.subtract(advanced.times)
            covered.append(advanced)
        }
        normalize()
    }

    /// Removes these times from the requests and the coverage of all backfills whose conditions `filter` includes. Also
    /// removes each id in question whose range of origin times overlaps these times and is no longer covered or
    /// requested.
    ///
    /// - Parameter onlyUncertainties: whether to remove only the times of uncertainties.
    mutating func forget(_ filter: QuakeFilter, in originTimes: Range<Timestamp>, onlyUncertainties: Bool = false) {
        func isForgotten(_ part: Part) -> Bool {
            part.source.isFromBackfill && filter.includes(part.conditions)
                && (part.source == .uncertainties || !onlyUncertainties)
        }
        for part in requested.keys where isForgotten(part) { requested[part]?.remove(contentsOf: originTimes) }
        for index in covered.indices where isForgotten(covered[index].part) {
            covered[index].times.remove(contentsOf: originTimes)
        }
        // Updates read uncertainties only where they are requested.
        let requested = requestedUncertainties
        for index in covered.indices where covered[index].source == .uncertainties {
            covered[index].times.formIntersection(requested)
        }
        normalize()
        let kept = self.requested.values.reduce(into: times { _ in true }) { $0.formUnion($1) }
        idsInQuestion.removeAll { $0.originTimes.overlaps(originTimes) && kept.isDisjoint(RangeSet($0.originTimes)) }
    }

    /// Adds an id in question. If the id is already in question, its range is extended, and its unsettled answers still
    /// count.
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
        normalize()
    }

    /// Records that an answer of the event service about `id`, received at `now`, settled nothing.
    package mutating func addUnsettledAnswer(about id: String, at now: Timestamp) {
        guard let index = idsInQuestion.firstIndex(where: { $0.id.isSameID(as: id) }) else { return }
        idsInQuestion[index].unsettledAnswers += 1
        idsInQuestion[index].lastAnswer = now
    }

    /// Removes an id that is no longer in question.
    mutating func drop(_ id: String) { idsInQuestion.removeAll { $0.id.isSameID(as: id) } }

    // MARK: Removing

    /// Removes the lost times from the coverage and, if the user caused the loss, from the requests.
    mutating func remove(_ lostCoverage: LostCoverage) {
        for (conditions, span) in lostCoverage.byUser {
            let lost = RangeSet(span)
            let days = lost.wholeDays
            for part in requested.keys where part.conditions == conditions { requested[part]?.subtract(days) }
            for index in covered.indices where covered[index].conditions == conditions {
                covered[index].times.subtract(covered[index].source.isFromBackfill ? days : lost)
            }
        }
        let days = lostCoverage.byDocuments.wholeDays
        for index in covered.indices {
            covered[index].times.subtract(covered[index].source.isFromBackfill ? days : lostCoverage.byDocuments)
        }
        let daysOfSolutions = lostCoverage.bySolutions.wholeDays
        for index in covered.indices where covered[index].source == .uncertainties {
            covered[index].times.subtract(daysOfSolutions)
        }
        normalize()
    }

    /// Removes `days` from the times that backfills cover, so that the next update fetches them again.
    mutating func uncover(_ days: RangeSet<Timestamp>) {
        for index in covered.indices where covered[index].source.isFromBackfill { covered[index].times.subtract(days) }
        normalize()
    }

    /// Returns the requested and covered times that `other` lacks. The ids in question stay the same.
    func subtracting(_ other: Coverage) -> Coverage {
        var rest = self
        for (part, times) in other.requested { rest.requested[part]?.subtract(times) }
        for index in rest.covered.indices {
            let row = rest.covered[index]
            rest.covered[index].times.subtract(other.times { $0.part == row.part })
        }
        rest.normalize()
        return rest
    }

    /// Adds covered ranges that were removed earlier. Nothing else may have changed the coverage since then.
    mutating func restore(_ coveredRanges: [CoveredRange]) {
        covered += coveredRanges.map(CoveredTimes.init)
        normalize()
    }

    // MARK: Normalizing

    private mutating func normalize() {
        merge()
        idsInQuestion.sort { $0.id < $1.id }
    }

    /// Merges times that are complete as of the same moment or, except for backfills, as of the same day. Merging
    /// moments further apart would make coverage seem much older than it is. If the feed of the past month is fetched
    /// once a week, a row for each week remains.
    private mutating func merge() {
        requested = requested.filter { !$0.value.isEmpty }
        var groups: [CoveredTimes: CoveredTimes] = [:]
        for row in covered where !row.times.isEmpty {
            // Rows with the same source, conditions and moment or day form a group.
            var group = row
            if !row.source.isFromBackfill { group.asOf = row.asOf.day.lowerBound }
            group.times = RangeSet()
            var united = groups[group] ?? row
            united.times.formUnion(row.times)
            united.asOf = min(united.asOf, row.asOf)
            groups[group] = united
        }
        covered = groups.values.sorted { $0.precedes($1) }
    }
}
