/// The rules' view of the cache: the store in production, a dictionary in tests.
protocol CacheView: IdentityView {
    /// Returns the time of the newest snapshot, from any feed, that listed the quake or decided about it.
    func confirmedUntil(_ known: KnownQuake) throws -> Timestamp
    /// Returns whether the event service was asked about `id` and gave no definite answer.
    func isUnsettled(_ id: String) throws -> Bool
}
