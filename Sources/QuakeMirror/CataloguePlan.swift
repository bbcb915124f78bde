import QuakeFeed
import QuakeModel

/// A stretch of origin times to ask the event service about, and what its answers are good for.
struct CatalogueStretch: Hashable {
    /// What its answers make of the catalogue in the cache.
    enum Purpose: Hashable {
        /// The cache holds the part that this filter describes. `heldAsOf` is given when some of it was held before.
        case cover(QuakeFilter, isOpenEnded: Bool, heldAsOf: Timestamp?)
        /// The parts that the cache holds are brought up to date.
        case update
    }

    var query: CatalogueQuery
    var purpose: Purpose
}

/// Which stretches of the catalogue to ask for: pure rules.
enum CataloguePlan {
    /// The service counts changes by the time of their products, and may publish them hours later: an update asks for
    /// the changes of a day more.
    static let overlap = Duration.seconds(86_400)

    /// What the cache lacks of the quakes that `filter` accepts in `originTimes`.
    ///
    /// Where it holds the same with a higher minimum magnitude, only the smaller quakes are asked for. That works in
    /// one direction alone: no question finds the quakes without a magnitude.
    ///
    /// - Parameter planned: stretches that are asked for before. What they bring is not asked for again. They may bring
    ///   less than planned, so that nothing smaller is asked for on the strength of them.
    static func missing(
        _ filter: QuakeFilter, in originTimes: Range<Timestamp>, isOpenEnded: Bool, held parts: [CataloguePart],
        planned: [CatalogueStretch] = []
    ) -> [CatalogueStretch] {
        let relevant = parts.filter { $0.filter.withoutMagnitudes.includes(filter.withoutMagnitudes) }
        let coming = planned.filter { $0.covers(filter) }.map(\.query.originTimes)
        let cuts = relevant.map(\.originTimes) + coming
        return stretches(of: originTimes, at: cuts).compactMap { originTimes -> CatalogueStretch? in
            let holding = relevant.filter { $0.originTimes.overlaps(originTimes) }
            guard !holding.contains(where: { $0.filter.includes(filter) }),
                !coming.contains(where: { $0.overlaps(originTimes) })
            else { return nil }
            var asked = filter
            var heldAsOf: Timestamp?
            if let larger = holding.filter({ $0.holdsLargerQuakes(than: filter) }).min(by: isOfSmallerQuakes) {
                asked.maximumMagnitude = larger.filter.minimumMagnitude
                heldAsOf = larger.asOf
            }
            return CatalogueStretch(
                query: CatalogueQuery(filter: asked, originTimes: originTimes),
                purpose: .cover(filter, isOpenEnded: isOpenEnded, heldAsOf: heldAsOf))
        }.united
    }

    /// What brings `parts` up to date: the changes of all, and then the new quakes of those without an end. A part that
    /// is far from complete does not keep the others waiting; where a run ended between the two, the new quakes come
    /// first.
    ///
    /// A quake that was revised out of a part is still in the cache, so changes are asked for without its conditions.
    static func updates(of parts: [CataloguePart], now: Timestamp) -> [CatalogueStretch] {
        var extensions: [CatalogueStretch] = []
        // The smallest quakes first: those questions bring the larger ones too.
        for part in parts.sorted(by: isOfSmallerQuakes) where part.isOpenEnded && part.originTimes.upperBound < now {
            extensions += missing(
                part.filter, in: part.originTimes.upperBound..<now, isOpenEnded: true, held: parts, planned: extensions)
        }
        guard let first = parts.map(\.originTimes.lowerBound).min(),
            let last = parts.map(\.originTimes.upperBound).max()
        else { return extensions }
        let cuts = parts.map(\.originTimes)
        let changes = stretches(of: first..<last, at: cuts).compactMap { originTimes -> CatalogueStretch? in
            let asOf = parts.filter { $0.originTimes.overlaps(originTimes) }.map(\.asOf).min()
            return asOf.map { moment in
                CatalogueStretch(
                    query: CatalogueQuery(
                        filter: QuakeFilter(), originTimes: originTimes, updatedAfter: moment - overlap),
                    purpose: .update)
            }
        }
        let oldest = parts.map(\.asOf).min() ?? now
        // An answer is made a moment after the question that it extends a part to.
        let waits = parts.contains { $0.reachesPresent && $0.originTimes.upperBound + .seconds(60) < oldest }
        return waits ? extensions + changes.united : changes.united + extensions
    }

    /// What `parts` hold, once more, and what those without an end lack.
    static func again(_ parts: [CataloguePart], now: Timestamp) -> [CatalogueStretch] {
        parts.map { part in
            let end = part.isOpenEnded ? max(now, part.originTimes.upperBound) : part.originTimes.upperBound
            return CatalogueStretch(
                query: CatalogueQuery(filter: part.filter, originTimes: part.originTimes.lowerBound..<end),
                purpose: .cover(part.filter, isOpenEnded: part.isOpenEnded, heldAsOf: nil))
        }
    }

    /// `originTimes` cut wherever one of `others` begins or ends, so that each stretch lies in it as a whole or not at
    /// all.
    private static func stretches(
        of originTimes: Range<Timestamp>, at others: [Range<Timestamp>]
    ) -> [Range<Timestamp>] {
        let cuts = Set(others.flatMap { [$0.lowerBound, $0.upperBound] })
            .filter { originTimes.lowerBound < $0 && $0 < originTimes.upperBound }
        let edges = [originTimes.lowerBound] + cuts.sorted() + [originTimes.upperBound]
        return zip(edges, edges.dropFirst()).map { $0..<$1 }.filter { !$0.isEmpty }
    }

    private static func isOfSmallerQuakes(_ left: CataloguePart, _ right: CataloguePart) -> Bool {
        (left.filter.minimumMagnitude ?? -.infinity) < (right.filter.minimumMagnitude ?? -.infinity)
    }
}

extension CataloguePart {
    /// Whether the part has all quakes that `wanted` accepts from some higher magnitude on.
    fileprivate func holdsLargerQuakes(than wanted: QuakeFilter) -> Bool {
        guard let least = filter.minimumMagnitude, let wantedLeast = wanted.minimumMagnitude, least > wantedLeast,
            wanted.maximumMagnitude.map({ least < $0 }) ?? true
        else { return false }
        return filter.maximumMagnitude.map { most in wanted.maximumMagnitude.map { most >= $0 } ?? false } ?? true
    }
}

extension CatalogueStretch {
    /// Whether the cache holds everything that `wanted` accepts when the stretch has been asked for.
    fileprivate func covers(_ wanted: QuakeFilter) -> Bool {
        if case .cover(let filter, _, _) = purpose { filter.includes(wanted) } else { false }
    }
}

extension CatalogueStretch {
    /// This stretch and `next`, if that starts where this one ends and asks the same for the same purpose. Changes are
    /// asked for since the earlier moment, where both moments lie within a day.
    fileprivate func united(with next: CatalogueStretch) -> CatalogueStretch? {
        guard query.originTimes.upperBound == next.query.originTimes.lowerBound, purpose == next.purpose,
            query.filter == next.query.filter
        else { return nil }
        var united = self
        united.query.originTimes = query.originTimes.lowerBound..<next.query.originTimes.upperBound
        if let left = query.updatedAfter, let right = next.query.updatedAfter {
            guard max(left, right) - min(left, right) <= .seconds(86_400) else { return nil }
            united.query.updatedAfter = min(left, right)
        }
        return united
    }
}

extension [CatalogueStretch] {
    /// The stretches, neighbours united where they can be.
    fileprivate var united: [CatalogueStretch] {
        reduce(into: []) { result, stretch in
            if let last = result.last, let common = last.united(with: stretch) {
                result[result.count - 1] = common
            } else {
                result.append(stretch)
            }
        }
    }
}
