import Glibc
import QuakeSystem

/// The care of a cache's file: what is in it, whether it is sound, copies of it, and its space.
public struct StoreMaintenance {
    let context: QuakeContext
}

extension QuakeContext {
    /// Statistics, verification, backups, purges.
    public var maintenance: StoreMaintenance { StoreMaintenance(context: self) }
}

extension StoreMaintenance {
    /// Deletes the quakes the filter accepts, each with its tombstone, as one transaction. Documents that still list
    /// them bring them back.
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

extension StoreMaintenance {
    /// Removes the file of a cache in which nothing was kept, unless another program has it open. The context is not
    /// used any more then.
    ///
    /// A server's wish not to be asked for a while counts as kept.
    package func discardIfUnused() throws {
        // SQLite gives the log up only where no other connection has the file open.
        try context.connection.requireSameFile()
        guard try isUnused(),
            try context.connection.first("PRAGMA journal_mode = DELETE", read: { $0.text(0) }) == "delete"
        else { return }
        try context.connection.execute("BEGIN EXCLUSIVE")
        // Whoever opens the file from here on finds it locked, and at its first write that it is gone.
        if try isUnused() {
            try context.connection.requireSameFile()
            unlink(FileLocation.resolved(context.cache.path))
        }
        try context.connection.execute("COMMIT")
    }

    private func isUnused() throws -> Bool {
        let now = context.cache.configuration.now()
        return try context.history.head().number == .zero && context.history.floor().number == .zero
            && context.history.consumers().isEmpty && context.sources.claims().isEmpty
            && context.sources.feeds().allSatisfy {
                $0.applied == nil && $0.checked == nil && ($0.pause?.end ?? now) <= now
            }
    }
}
