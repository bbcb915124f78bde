import QuakeFeed
package import QuakeModel
import QuakeStore

/// What a backfill is to bring.
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
            let start = filter.since ?? CatalogQuery.beginning
            return CatalogPlan.missing(
                filter.withoutTimes, in: start..<max(start, filter.until ?? now), isOpenEnded: filter.until == nil,
                held: again ? [] : claims)
        }
    }
}
