import QuakeFeed
package import QuakeModel
import QuakeStore

/// A time range to ask the event service about, in one window or several, and what its answers are good for.
struct CatalogStretch: Hashable {
    /// What its answers make of the claims.
    enum Purpose: Hashable {
        /// The cache holds what was asked for.
        case claim(isOpenEnded: Bool)
        /// The claims of backfills are brought up to date.
        case update
    }

    var query: CatalogQuery
    var purpose: Purpose

    var originTimes: Range<Timestamp> { query.originTimes }

    /// The same question about other origin times.
    func `in`(_ originTimes: Range<Timestamp>) -> CatalogStretch {
        var stretch = self
        stretch.query.originTimes = originTimes
        return stretch
    }
}

/// Which stretches of the catalog to ask for: pure rules. Claims are those of backfills: what feeds have brought is
/// not kept up to date, so that a backfill asks for it.
enum CatalogPlan {
    /// An update asks for a day more: the service may publish changes hours after the time of their products.
    static let overlap = Duration.seconds(86_400)

    /// What the cache lacks of the quakes that `filter` accepts in `originTimes`.
    ///
    /// Where it holds larger quakes only, all are asked for: a quake that was revised from one side of
    /// the limit to the other meanwhile is in neither half.
    ///
    /// - Parameter planned: stretches that are asked for before. What they bring is not asked for again.
    static func missing(
        _ filter: QuakeFilter, in originTimes: Range<Timestamp>, isOpenEnded: Bool, held claims: [Claim],
        planned: [CatalogStretch] = []
    ) -> [CatalogStretch] {
        let holding =
            claims.filter { !$0.isVoid && $0.conditions.includes(filter) }.map(\.originTimes)
            + planned.filter { $0.claims(filter) }.map(\.originTimes)
        return stretches(of: originTimes, at: holding).filter { stretch in
            !holding.contains { $0.overlaps(stretch) }
        }.map { originTimes in
            CatalogStretch(
                query: CatalogQuery(filter: filter, originTimes: originTimes),
                purpose: .claim(isOpenEnded: isOpenEnded))
        }.united
    }

    /// What brings `claims` up to date: the changes of all, then the new quakes of those without an end, so that a
    /// claim far from complete does not keep the others waiting; the new quakes first where a run ended between the
    /// two.
    ///
    /// A quake that was revised out of a claim is still in the cache, so changes are asked for without its conditions.
    static func updates(of claims: [Claim], now: Timestamp) -> [CatalogStretch] {
        var extensions: [CatalogStretch] = []
        // The smallest quakes first: those questions bring the larger ones too.
        for claim in claims.sorted(by: isOfSmallerQuakes) where claim.isOpenEnded && claim.originTimes.upperBound < now
        {
            extensions += missing(
                claim.conditions, in: claim.originTimes.upperBound..<now, isOpenEnded: true, held: claims,
                planned: extensions)
        }
        guard let first = claims.map(\.originTimes.lowerBound).min(),
            let last = claims.map(\.originTimes.upperBound).max()
        else { return extensions }
        let changes = stretches(of: first..<last, at: claims.map(\.originTimes)).compactMap { originTimes in
            let asOf = claims.filter { $0.originTimes.overlaps(originTimes) }.map(\.asOf).min()
            return asOf.map { moment in
                CatalogStretch(
                    query: CatalogQuery(
                        filter: QuakeFilter(), originTimes: originTimes, updatedAfter: moment - overlap),
                    purpose: .update)
            }
        }
        let oldest = claims.filter { !$0.isVoid }.map(\.asOf).min() ?? now
        // An answer is made a moment after the question that it extends a claim to.
        let waits = claims.contains { $0.reachesPresent && $0.originTimes.upperBound + .seconds(60) < oldest }
        return waits ? extensions + changes.united : changes.united + extensions
    }

    /// What `claims` hold, once more, and what those without an end lack.
    static func again(_ claims: [Claim], now: Timestamp) -> [CatalogStretch] {
        claims.map { claim in
            let end = claim.isOpenEnded ? max(now, claim.originTimes.upperBound) : claim.originTimes.upperBound
            return CatalogStretch(
                query: CatalogQuery(filter: claim.conditions, originTimes: claim.originTimes.lowerBound..<end),
                purpose: .claim(isOpenEnded: claim.isOpenEnded))
        }
    }

    /// `originTimes` cut wherever one of `others` begins or ends: each part lies in it as a whole or not at all.
    private static func stretches(
        of originTimes: Range<Timestamp>, at others: [Range<Timestamp>]
    ) -> [Range<Timestamp>] {
        let cuts = Set(others.flatMap { [$0.lowerBound, $0.upperBound] })
            .filter { originTimes.lowerBound < $0 && $0 < originTimes.upperBound }
        let edges = [originTimes.lowerBound] + cuts.sorted() + [originTimes.upperBound]
        return zip(edges, edges.dropFirst()).map { $0..<$1 }.filter { !$0.isEmpty }
    }

    private static func isOfSmallerQuakes(_ left: Claim, _ right: Claim) -> Bool {
        (left.conditions.minimumMagnitude ?? -.infinity) < (right.conditions.minimumMagnitude ?? -.infinity)
    }
}

extension CatalogStretch {
    /// Whether the cache holds everything that `wanted` accepts when the stretch has been asked for.
    fileprivate func claims(_ wanted: QuakeFilter) -> Bool {
        if case .claim = purpose { query.filter.includes(wanted) } else { false }
    }

    /// This stretch and `next`, if that starts where this one ends and asks the same for the same purpose. Changes are
    /// asked for since the earlier moment, where both moments lie within a day, and over a hole that a purge of a few
    /// quakes left: what no claim is about is passed over.
    fileprivate func united(with next: CatalogStretch) -> CatalogStretch? {
        let hole = purpose == .update ? Duration.seconds(86_400) : .zero
        guard next.originTimes.lowerBound - originTimes.upperBound <= hole, purpose == next.purpose,
            query.filter == next.query.filter
        else { return nil }
        var united = self.in(originTimes.lowerBound..<next.originTimes.upperBound)
        if let left = query.updatedAfter, let right = next.query.updatedAfter {
            guard max(left, right) - min(left, right) <= .seconds(86_400) else { return nil }
            united.query.updatedAfter = min(left, right)
        }
        return united
    }
}

extension [CatalogStretch] {
    fileprivate var united: [CatalogStretch] {
        reduce(into: []) { result, stretch in
            if let last = result.last, let common = last.united(with: stretch) {
                result[result.count - 1] = common
            } else {
                result.append(stretch)
            }
        }
    }
}

package enum BackfillRequest: Hashable, Sendable {
    /// The quakes that a filter accepts, as far as the cache does not hold them; with `again`, all of them.
    case part(QuakeFilter, again: Bool)
    /// What the cache holds, once more.
    case again
    /// What changed in what the cache holds.
    case update

    /// What to ask for where backfills made `claims`.
    func stretches(held claims: [Claim], now: Timestamp) -> [CatalogStretch] {
        switch self {
        case .update: return CatalogPlan.updates(of: claims, now: now)
        case .again: return CatalogPlan.again(claims, now: now)
        case .part(let filter, let again):
            return CatalogPlan.missing(
                filter.withoutTimes, in: filter.start..<max(filter.start, filter.until ?? now),
                isOpenEnded: filter.until == nil, held: again ? [] : claims)
        }
    }
}

extension QuakeFilter {
    /// Where a backfill begins: without a time, with the catalog.
    var start: Timestamp { since ?? CatalogQuery.beginning }
}
