import Glibc
import QuakeSystem

/// Maintenance of a cache's file: verification, backups, purges and disk space.
public struct StoreMaintenance {
    let context: QuakeContext
}

extension QuakeContext {
    /// Verification, backups, purges and disk space.
    public var maintenance: StoreMaintenance { StoreMaintenance(context: self) }
}

extension StoreMaintenance {
    /// Deletes every quake that the filter accepts, in one transaction that records a tombstone for each. A feed that
    /// still lists such a quake restores it at the next refresh. `purpose` describes the purge in the history.
    ///
    /// - Returns: the number of deleted quakes, and the entry in the history, which is nil in a dry run or if nothing
    ///   was deleted.
    @discardableResult
    public func purge(_ filter: QuakeFilter, purpose: String? = nil, dryRun: Bool = false) throws -> WriteOutcome<Int> {
        try context.write(TransactionOrigin(purpose: purpose), dryRun: dryRun) {
            try $0.delete(where: filter, reason: .purged)
        }
    }

    /// Shrinks the file after a purge of quakes or a trim of the history. This needs temporary disk space the size of
    /// the cache.
    ///
    /// In a pinned context, the pin advances to the newest generation, even if the compaction fails.
    ///
    /// - Throws: ``StoreError/busy(path:)`` if another context, such as a pinned one, kept the file from shrinking for
    ///   longer than ``StoreConfiguration/busyTimeout``. Once the last such context has closed or advanced, the file
    ///   shrinks at the next write or when the next context closes.
    public func compact() throws {
        try context.requireWritable()
        guard !context.isWriting else { throw StoreError.contextState("a compaction inside a transaction") }
        try context.session.connection.requireWritableCache()
        guard context.isPinned else { return try shrink() }
        // A generation that is held would keep the log from shrinking.
        try context.unpin()
        let outcome = Result { try shrink() }
        let pinning = Result { try context.pin(to: .current) }
        try outcome.get()
        try pinning.get()
    }

    private func shrink() throws {
        let connection = context.session.connection
        try connection.execute("VACUUM")
        let isBlocked = try connection.first("PRAGMA wal_checkpoint(TRUNCATE)") { $0.integer(0) != 0 }
        if isBlocked == true { throw StoreError.busy(path: connection.path) }
    }

    /// Removes a cache's file if nothing was recorded in it and no other program has it open. The context must not be
    /// used afterward.
    ///
    /// A pause requested by a server counts as recorded until it ends.
    package func discardIfUnused() throws {
        // SQLite removes the log only if no other connection has the file open.
        try context.session.connection.requireSameFile()
        guard try isUnused(),
            try context.session.connection.first("PRAGMA journal_mode = DELETE", read: { $0.text(0) }) == "delete"
        else { return }
        try context.session.connection.execute("BEGIN EXCLUSIVE")
        // From here on, any program that opens the file finds it locked, and detects at its first write that the file
        // was removed.
        if try isUnused() {
            try context.session.connection.requireSameFile()
            unlink(FileLocation.resolved(context.cache.path))
        }
        try context.session.connection.execute("COMMIT")
    }

    private func isUnused() throws -> Bool {
        let now = context.cache.configuration.now()
        return try context.history.currentToken().number == .zero && context.history.floor().number == .zero
            && context.history.consumers().isEmpty && context.sources.coveredRanges().isEmpty
            && context.sources.feeds().allSatisfy {
                $0.applied == nil && $0.checked == nil && ($0.pause?.end ?? now) <= now
            }
    }
}
