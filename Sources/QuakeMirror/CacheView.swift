import QuakeModel
import QuakeStore

/// What the rules ask of the cache. The store answers in production, a dictionary in tests.
protocol CacheView {
    /// What an id leads to, compared without regard to case.
    func target(ofID id: String) throws -> AliasTarget?
    /// The quake under a local key, unless deleted.
    func knownQuake(_ key: Int64) throws -> KnownQuake?
    /// The `generated` of the newest snapshot, of any feed, that listed or decided the quake.
    func confirmedUntil(_ known: KnownQuake) throws -> Timestamp
}
