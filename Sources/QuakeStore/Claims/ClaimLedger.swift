package import QuakeModel

/// Tracks which parts of the catalog the cache holds completely: rules that need no database.
///
/// Claims of one source with the same conditions are disjoint; neighbors merge if their times are within a day of each
/// other. Those of feeds have the conditions of their bands; what a purge of magnitudes leaves of them has others. What
/// a user deleted is cut out of the claims; what a document deleted without the service's word leaves void claims
/// (``Claim/isVoid``), which the next update makes true again. A purge by place removes more coverage than it deletes.
package struct ClaimLedger: Equatable {
    package internal(set) var claims: [Claim]
    /// Origin times that `all` feeds covered before quakes were deleted here. They are no ``gaps(at:)``.
    private(set) var purged: [Range<Timestamp>]
    /// What backfills asked for and have not fetched yet. These are no claims: ``Claim/asOf`` is where the request
    /// began.
    private(set) var unfinished: [Claim]

    package init(_ claims: [Claim] = [], purged: [Range<Timestamp>] = [], unfinished: [Claim] = []) {
        (self.claims, self.purged, self.unfinished) = (claims, purged, unfinished)
    }

    /// Adds a claim. What it includes of others of its source is replaced by it. Of a feed's, only what no wider one
    /// includes is added.
    package mutating func add(_ claim: Claim) {
        guard !claim.originTimes.isEmpty else { return }
        let wider = claims.first { other in
            other.source == .feed && claim.source == .feed && other.conditions != claim.conditions
                && other.conditions.includes(claim.conditions) && other.originTimes.overlaps(claim.originTimes)
        }
        if let wider { return claim.outside(wider.originTimes).forEach { add($0) } }
        var added = claim
        var others: [Claim] = []
        for other in claims {
            guard other.source == claim.source, claim.conditions.includes(other.conditions),
                other.originTimes.overlaps(claim.originTimes)
            else {
                others.append(other)
                continue
            }
            var rest = other.outside(claim.originTimes)
            if other.isOpenEnded, rest.last?.isOpenEnded != true {
                // The claim that continues after the end is the added one, unless that accepts more than was asked for.
                if rest.isEmpty || other.conditions == claim.conditions {
                    added.isOpenEnded = true
                } else {
                    rest[rest.count - 1].isOpenEnded = true
                }
            }
            others += rest
        }
        claims = others + [added]
        if claim.source == .backfill { finish(claim.conditions, in: claim.originTimes) }
        settle()
    }

    /// Notes what a backfill begins to ask for.
    package mutating func begin(_ missing: [Claim]) {
        for part in missing { finish(part.conditions, in: part.originTimes) }
        unfinished += missing
    }

    /// Notes that what `filter` accepts of these origin times is no longer asked for.
    package mutating func finish(_ filter: QuakeFilter, in originTimes: Range<Timestamp>) {
        unfinished = unfinished.flatMap { part in
            filter.includes(part.conditions) && part.originTimes.overlaps(originTimes)
                ? part.outside(originTimes) : [part]
        }
    }

    /// Notes that the cache has all changes of these times published before `moment`. Only backfills' claims move on.
    mutating func advance(_ originTimes: Range<Timestamp>, to moment: Timestamp) {
        claims = claims.flatMap { claim -> [Claim] in
            guard claim.source == .backfill, claim.originTimes.overlaps(originTimes), claim.asOf < moment else {
                return [claim]
            }
            var inside = claim.inside(originTimes)
            inside.asOf = moment
            return claim.outside(originTimes) + [inside]
        }
        unite()
    }

    /// Removes the claims of backfills in these times that `filter` includes, and returns what was removed.
    mutating func forget(_ filter: QuakeFilter, in originTimes: Range<Timestamp>) -> [Claim] {
        finish(filter, in: originTimes)
        var forgotten: [Claim] = []
        claims = claims.flatMap { claim -> [Claim] in
            guard claim.source == .backfill, filter.includes(claim.conditions) else { return [claim] }
            guard claim.originTimes.overlaps(originTimes) else {
                var claim = claim
                // What would extend it is forgotten.
                if originTimes.contains(claim.originTimes.upperBound) { claim.isOpenEnded = false }
                return [claim]
            }
            forgotten.append(claim.inside(originTimes))
            return claim.outside(originTimes)
        }
        return forgotten
    }

    /// Removes the claims that are no longer true after quakes were deleted.
    ///
    /// - Parameters:
    ///   - losses: for each claim that accepted one of the quakes, their origin times from the earliest to the latest.
    ///   - stopped: claims that updates extend no more, because they would bring one of the quakes back.
    ///   - purge: the filter of a purge. One of times and magnitudes alone tells exactly what remains.
    mutating func takeBack(
        _ losses: [Claim: Range<Timestamp>], stopping stopped: Set<Claim> = [], purge: QuakeFilter? = nil
    ) {
        let hit = claims.filter { losses[$0] != nil }
        claims.removeAll { losses[$0] != nil }
        for index in claims.indices where stopped.contains(claims[index]) { claims[index].isOpenEnded = false }
        for claim in hit {
            guard let loss = losses[claim] else { continue }
            var (taken, kept) = (loss, [QuakeFilter]())
            if let purge, purge == purge.ofTimesAndMagnitudes {
                let start = purge.since ?? claim.originTimes.lowerBound
                taken = start..<max(start, purge.until ?? claim.originTimes.upperBound)
                kept = claim.conditions.outsideMagnitudes(of: purge)
            }
            let inside = claim.inside(taken)
            if claim.isOfEveryQuake { purged.append(inside.originTimes) }
            claims += claim.outside(taken)
            for conditions in kept {
                var rest = inside
                rest.conditions = conditions
                add(rest)
            }
        }
        purged = purged.united
        unite()
    }

    /// Removes, after a document deleted quakes of these origin times without the service's word, whole days
    /// whatever the conditions. What feeds covered is cut to the millisecond: most feeds begin within a day.
    mutating func takeBack(daysOf originTimes: Set<Timestamp>) {
        for time in originTimes.sorted() {
            claims = claims.flatMap { claim -> [Claim] in
                let taken = claim.source == .feed ? time..<time + .milliseconds(1) : time.day
                guard claim.originTimes.overlaps(taken), !claim.isVoid else { return [claim] }
                var inside = claim.inside(taken)
                if claim.source == .backfill {
                    inside.asOf = inside.originTimes.lowerBound
                    return claim.outside(taken) + [inside]
                }
                if claim.isOfEveryQuake { purged.append(inside.originTimes) }
                return claim.outside(taken)
            }
        }
        purged = purged.united
        unite()
    }

    /// The origin times whose quakes may be missing at `now`: between two that were covered, and further back than the
    /// longest feed reaches. What came before the first feed is no gap.
    package func gaps(at now: Timestamp) -> [Range<Timestamp>] {
        let feeds = claims.filter { claim in
            claim.isOfEveryQuake || claim.source == .feed && purged.contains { $0.overlaps(claim.originTimes) }
        }
        guard let first = feeds.map(\.originTimes.lowerBound).min() else { return [] }
        let covering = claims.filter { !$0.isVoid && $0.conditions == QuakeFilter() }.map(\.originTimes)
        let covered = (covering + purged).filter { $0.upperBound > first }.united
        var gaps = zip(covered, covered.dropFirst()).map { $0.upperBound..<$1.lowerBound }
        let reach = now - FeedName.Period.month.window
        if let last = covered.last, last.upperBound < reach { gaps.append(last.upperBound..<reach) }
        return gaps.filter { $0.lowerBound >= first }
    }

    /// See ``StoreSources/firstGap(in:)``. What was purged is missing, too.
    ///
    /// A document that deletes a quake leaves a hole of a millisecond, so a range of up to a minute is no gap. Documents
    /// are asked for one after the other, so neither is one of up to an hour at the end of the coverage.
    func firstGap(in filter: QuakeFilter) -> Range<Timestamp>? {
        let held = claims.filter { !$0.isVoid }
        let ends = held.map { min($0.asOf, $0.originTimes.upperBound) }
        guard let since = filter.since, let end = filter.until ?? ends.max() else { return nil }
        var start = since
        let covering = held.filter { $0.conditions.includes(filter.withoutTimes) }.map(\.originTimes)
        for covered in covering.united where start < end {
            if covered.lowerBound - start > .seconds(60) { return start..<min(covered.lowerBound, end) }
            start = max(start, covered.upperBound)
        }
        return end - start > (start > since ? .seconds(3600) : .zero) ? start..<end : nil
    }

    /// Unites neighbors, and forgets of what was purged that feeds cover it again.
    mutating func settle() {
        let covered = claims.filter(\.isOfEveryQuake).map(\.originTimes)
        purged.removeAll { range in
            covered.contains { $0.lowerBound <= range.lowerBound && range.upperBound <= $0.upperBound }
        }
        unite()
    }

    private static let sameMoment = Duration.seconds(86_400)

    /// Unites neighbors with the same conditions. Claims of feeds that no feed reaches anymore need no moment of their
    /// own: years of refreshes come to be one row.
    private mutating func unite() {
        claims.sort { ($0.originTimes.lowerBound, $0.asOf) < ($1.originTimes.lowerBound, $1.asOf) }
        let newest = claims.filter { $0.source == .feed }.map(\.asOf).max()
        let reach = newest.map { $0 - FeedName.Period.month.window }
        var united: [Claim] = []
        for claim in claims {
            let neighbor = united.lastIndex { earlier in
                earlier.source == claim.source && earlier.conditions == claim.conditions
                    && earlier.isVoid == claim.isVoid
                    && earlier.originTimes.upperBound == claim.originTimes.lowerBound
                    && (max(earlier.asOf, claim.asOf) - min(earlier.asOf, claim.asOf) <= Self.sameMoment
                        || claim.source == .feed && reach.map { claim.originTimes.upperBound < $0 } ?? false)
            }
            guard let neighbor else {
                united.append(claim)
                continue
            }
            let start = united[neighbor].originTimes.lowerBound
            united[neighbor].originTimes = start..<claim.originTimes.upperBound
            united[neighbor].asOf = min(united[neighbor].asOf, claim.asOf)
            united[neighbor].isOpenEnded = united[neighbor].isOpenEnded || claim.isOpenEnded
        }
        claims = united
    }
}

extension Claim {
    /// Whether documents of `all` feeds made it.
    fileprivate var isOfEveryQuake: Bool { source == .feed && conditions == QuakeFilter() }

    /// What of the claim lies in `originTimes`, which it overlaps. Only what reaches its end may have none.
    fileprivate func inside(_ originTimes: Range<Timestamp>) -> Claim {
        var inside = self
        inside.originTimes = self.originTimes.clamped(to: originTimes)
        inside.isOpenEnded = isOpenEnded && inside.originTimes.upperBound == self.originTimes.upperBound
        return inside
    }

    /// What remains of the claim without `originTimes`, which it overlaps: nothing, one claim or two.
    fileprivate func outside(_ originTimes: Range<Timestamp>) -> [Claim] {
        var rest: [Claim] = []
        if self.originTimes.lowerBound < originTimes.lowerBound {
            var before = self
            before.originTimes = self.originTimes.lowerBound..<min(self.originTimes.upperBound, originTimes.lowerBound)
            before.isOpenEnded = false
            rest.append(before)
        }
        if originTimes.upperBound < self.originTimes.upperBound {
            var after = self
            after.originTimes = max(originTimes.upperBound, self.originTimes.lowerBound)..<self.originTimes.upperBound
            rest.append(after)
        }
        return rest
    }
}

extension Timestamp {
    /// The day, in UTC, that it lies in.
    fileprivate var day: Range<Timestamp> {
        let length: Int64 = 86_400_000
        let past = milliseconds % length
        let start = Timestamp(milliseconds: milliseconds - (past < 0 ? past + length : past))
        return start..<start + .milliseconds(length)
    }
}

extension QuakeFilter {
    fileprivate var ofTimesAndMagnitudes: QuakeFilter {
        QuakeFilter(
            minimumMagnitude: minimumMagnitude, maximumMagnitude: maximumMagnitude, since: since, until: until)
    }

    /// The conditions of what remains when the magnitudes of `purge` are deleted: less than its minimum, or more than
    /// its maximum, to a hundredth. Nothing is said of quakes without a magnitude.
    fileprivate func outsideMagnitudes(of purge: QuakeFilter) -> [QuakeFilter] {
        var rest: [QuakeFilter] = []
        if let least = purge.minimumMagnitude {
            var below = self
            below.maximumMagnitude = min(maximumMagnitude ?? .infinity, -(-least).nextHundredth)
            rest.append(below)
        }
        if let most = purge.maximumMagnitude {
            var above = self
            above.minimumMagnitude = max(minimumMagnitude ?? -.infinity, most.nextHundredth)
            rest.append(above)
        }
        return rest.filter { ($0.minimumMagnitude ?? -.infinity) <= ($0.maximumMagnitude ?? .infinity) }
    }
}

extension Double {
    /// The smallest multiple of 0.01 that is larger.
    fileprivate var nextHundredth: Double {
        let next = ((self * 100).rounded(.down) + 1) / 100
        return next > self ? next : ((self * 100).rounded(.down) + 2) / 100
    }
}

extension [Range<Timestamp>] {
    /// The ranges in their order, those that touch or overlap united.
    fileprivate var united: [Range<Timestamp>] {
        sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { united, range in
            if let last = united.last, last.upperBound >= range.lowerBound {
                united[united.count - 1] = last.lowerBound..<Swift.max(last.upperBound, range.upperBound)
            } else {
                united.append(range)
            }
        }
    }
}
