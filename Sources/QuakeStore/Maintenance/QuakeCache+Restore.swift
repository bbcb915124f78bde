import Glibc
import QuakeSystem

/// The outcome of restoring a backup.
public struct StoreRestoration: Hashable, Sendable {
    /// The newest token of the restored cache.
    public var token: HistoryToken
    /// The newest token before the restore; nil if there was no cache, or if its newest transaction was unreadable.
    public var replaced: HistoryToken? = nil
    /// The path of the copy of the replaced state; nil if there was no cache.
    package var keptCopyPath: String? = nil
}

extension QuakeCache {
    /// Restores the backup at `path` in one transaction: every reader sees either the earlier state or the restored
    /// state. A cache that SQLite can no longer open must first be moved away.
    ///
    /// The earlier state is kept in `PATH.before-restore`, where PATH is the path of the cache. An existing file of
    /// that name is renamed to `PATH.before-restore-2`, which may replace an older file.
    ///
    /// A restore and a backfill cannot run at the same time. A refresh in progress applies its download to the restored
    /// state. Tokens issued after the backup become unusable: ``/QuakeModel/TokenFault/future`` or
    /// ``/QuakeModel/TokenFault/forked``. The cache keeps its current consumers and their tokens. No key, transaction
    /// number or change id is assigned twice, unless the current cache is missing or unreadable.
    ///
    /// - Parameters:
    ///   - path: the path of the backup.
    ///   - acceptsOtherCache: whether the backup may come from another cache, with a different id.
    ///   - restoresConsumers: whether to also restore the backup's consumers at their positions in the backup, as
    ///     needed if this cache takes the place of the original.
    /// - Throws: ``StoreError/unsound(path:findings:)`` for a damaged backup, ``StoreError/otherCache(path:)`` for a
    ///   backup of another cache, ``StoreError/backupInUse(path:)`` if `path` is this cache, and
    ///   ``StoreError/backfilling(path:)`` during a backfill. After an error, the cache is unchanged.
    @discardableResult
    public func restore(
        from path: String, acceptsOtherCache: Bool = false, restoresConsumers: Bool = false
    ) throws -> StoreRestoration {
        for path in [path, self.path] { try QuakeCache.requireFilePath(path) }
        let source = FileLocation.resolved(path)
        let target = FileLocation.resolved(self.path)
        guard source != target else { throw StoreError.backupInUse(path: path) }
        guard access(source, F_OK) == 0 else {
            throw StoreError.cannotOpen(path: path, reason: SystemError(ENOENT).reason)
        }
        guard !CacheFile(path: path).isEmpty else { throw StoreError.notACache(path: path) }
        let found = try backup(at: path).maintenance.verify(full: true)
        guard found.isSound else { throw StoreError.unsound(path: path, findings: found.findings.map(\.detail)) }
        let file = CacheFile(path: self.path)
        try file.requireOwnLink()
        try file.createFolder()
        // Reject a file that is not a cache, or has an unsupported schema, before creating a lock file beside it.
        if !file.isEmpty { _ = try QuakeContext(self, access: .writing) }
        return try CacheLock.hold(cacheAt: self.path) {
            if file.isEmpty { return try create(from: path, at: target, restoresConsumers) }
            return try replace(with: path, acceptsOtherCache: acceptsOtherCache, restoresConsumers)
        }
    }

    private func backup(at path: String) throws -> QuakeContext {
        try QuakeContext(QuakeCache(path: path, configuration: configuration), access: .reading)
    }

    /// Creates the cache from a complete draft. Any log or journal of an earlier cache is removed, because SQLite would
    /// mistake it for part of the new one.
    private func create(from path: String, at target: String, _ restoresConsumers: Bool) throws -> StoreRestoration {
        let draft = try CacheDraft(at: target, named: self.path, suffix: CacheFiles.restoring, like: nil)
        try draft.fill(from: backup(at: path).session.connection)
        let token = try draft.edit { restored in
            try ConsumerCarryOver(present: nil, restored: restored, restoresConsumers: restoresConsumers).apply()
        }
        // A refresh may have created a cache in the meantime.
        guard CacheFile(path: target).isEmpty else { throw StoreError.busy(path: self.path) }
        for suffix in CacheFiles.companions { unlink(target + suffix) }
        _ = try draft.moveIntoPlace(replacing: access(target, F_OK) == 0)
        return StoreRestoration(token: token)
    }

    private func replace(
        with name: String, acceptsOtherCache: Bool, _ restoresConsumers: Bool
    ) throws -> StoreRestoration {
        let backup = try backup(at: name)
        let writer = try QuakeContext(self, access: .writing)
        let reader = try QuakeContext(self, access: .reading)
        let replaced = try? reader.history.currentToken()
        // A cache without any recorded transaction has nothing to lose.
        if let replaced, replaced.number > .zero, try replaced.storeID != backup.history.storeID(), !acceptsOtherCache {
            throw StoreError.otherCache(path: name)
        }
        let draft = try CacheDraft(
            at: FileLocation.resolved(path), named: path, suffix: CacheFiles.restoring, like: path)
        try draft.fill(from: backup.session.connection)
        let files = CacheFiles(ofCacheAt: path)
        let token = try draft.edit { restored in
            try restored.session.connection.adoptPageSize(of: writer.session.connection)
            let copy = try PageCopy(from: restored.session.connection, to: writer.session.connection)
            // From here on, nobody else can write, so the state kept as a copy is the state being replaced.
            try copy.holdTarget()
            try reader.session.connection.requireWritableCache()
            let carryOver = ConsumerCarryOver(present: reader, restored: restored, restoresConsumers: restoresConsumers)
            let token = try carryOver.apply()
            try keepCopy(of: reader, in: files, ifSucceeds: copy.finish)
            return token
        }
        return StoreRestoration(token: token, replaced: replaced, keptCopyPath: files.newestKept)
    }

    /// Runs `body`, and keeps a copy of the state that `replaced` reads, even if that state is damaged. If `body`
    /// fails, no copy is kept.
    private func keepCopy(of replaced: QuakeContext, in files: CacheFiles, ifSucceeds body: () throws -> Void) throws {
        files.shiftKept()
        do {
            let kept = files.newestKept
            let draft = try CacheDraft(at: kept, named: kept, suffix: ".partial", like: path)
            try draft.fill(from: replaced.session.connection)
            _ = try draft.moveIntoPlace(replacing: false)
            do { try body() } catch {
                // The copy is not needed, because the cache still contains everything in it.
                unlink(kept)
                throw error
            }
        } catch {
            files.unshiftKept()
            throw error
        }
        files.removeOldestKept()
    }
}

extension Database {
    /// Adopts the other database's page size by rewriting all pages; the size cannot change while a database has a log.
    fileprivate func adoptPageSize(of other: Database) throws {
        guard let size = try other.integer("PRAGMA page_size"), try integer("PRAGMA page_size") != size else { return }
        try execute("PRAGMA page_size = \(size); VACUUM")
    }
}
