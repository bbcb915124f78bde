public import QuakeModel

extension StoreMaintenance {
    /// Deletes the quakes the filter accepts, each with its tombstone, as one transaction.
    ///
    /// - Returns: how many, and the entry in the history, if any.
    @discardableResult
    public func purge(
        _ filter: QuakeFilter, words: String? = nil, dryRun: Bool = false
    ) throws -> WriteOutcome<Int> {
        try context.write(TransactionOrigin(context: words), dryRun: dryRun) {
            try $0.delete(where: filter, reason: .purged)
        }
    }

    /// Gives the space of what was purged back to the file system. Needs as much space again while it works.
    ///
    /// A pin is advanced, because the log cannot shrink while the generation is held.
    public func compact() throws {
        guard !context.isWriting else { throw StoreError.contextState("a compaction inside a transaction") }
        try context.advance()
        try context.connection.requireWritableCache()
        try context.connection.execute("VACUUM")
        try context.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
}
