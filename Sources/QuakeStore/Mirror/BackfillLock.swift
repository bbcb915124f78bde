/// Keeps two backfills of one cache from running at the same time. A refresh may run meanwhile: each window of a
/// backfill is a transaction of its own, and SQLite keeps transactions apart.
package enum BackfillLock {
    /// Runs `body` holding the lock for the cache at `path`.
    ///
    /// - Throws: ``StoreError/backfilling(path:)`` when another backfill holds it, the other errors of ``RefreshLock``,
    ///   and what `body` throws.
    package static func hold<Result>(cacheAt path: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try RefreshLock.hold(cacheAt: path, suffix: ".backfill-lock", body)
        } catch StoreError.refreshing {
            throw StoreError.backfilling(path: path)
        }
    }
}
