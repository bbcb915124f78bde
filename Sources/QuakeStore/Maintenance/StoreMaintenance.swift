import Glibc
import QuakeSystem

/// Maintenance of a cache's file: statistics, verification, backups and disk space.
public struct StoreMaintenance {
    let context: QuakeContext
}

extension QuakeContext {
    /// Statistics, verification, backups and purges.
    public var maintenance: StoreMaintenance { StoreMaintenance(context: self) }
}

extension StoreMaintenance {
    /// In one transaction, deletes the quakes that the filter accepts and records a tombstone for each. Documents that
    /// still list these quakes bring them back.
    ///
    /// - Returns: the number of deleted quakes, and the entry in the history, if any.
    @discardableResult
    public func purge(
        _ filter: QuakeFilter, words: String? = nil, dryRun: Bool = false
    ) throws -> WriteOutcome<Int> {
        try context.write(TransactionOrigin(purpose: words), dryRun: dryRun) {
            try $0.delete(where: filter, reason: .purged)
        }
    }

    /// Returns purged space to the file system. This temporarily needs as much space as the cache uses.
    ///
    /// A pinned context advances, because the log cannot shrink while the generation is held.
    public func compact() throws {
        guard !context.isWriting else { throw StoreError.contextState("a compaction inside a transaction") }
        try context.advance()
        try context.connection.requireWritableCache()
        try context.connection.execute("VACUUM")
        try context.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
}

extension StoreMaintenance {
    /// Removes a cache's file if nothing was recorded in it and no other program has it open. The context must not be
    /// used afterward.
    ///
    /// A pause requested by a server counts as recorded.
    package func discardIfUnused() throws {
        // SQLite removes the log only if no other connection has the file open.
        try context.connection.requireSameFile()
        guard try isUnused(),
            try context.connection.first("PRAGMA journal_mode = DELETE", read: { $0.text(0) }) == "delete"
        else { return }
        try context.connection.execute("BEGIN EXCLUSIVE")
        // From here on, anyone who opens the file finds it locked, and learns at the first write that it is gone.
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
