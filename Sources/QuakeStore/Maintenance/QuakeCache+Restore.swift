import Glibc
import QuakeSystem

/// What restoring a backup did.
public struct StoreRestoration: Hashable, Sendable {
    /// The newest token of the cache now.
    public var token: HistoryToken
    /// The newest token that the cache had; nil when there was no cache, or its newest transaction could not be read.
    public var replaced: HistoryToken? = nil
    /// Where the state before is kept; nil when there was no cache.
    public var kept: String? = nil
}

extension QuakeCache {
    /// Gives this cache the state of the backup at `path`, through SQLite, as one transaction: every reader sees the
    /// state before or the one after. A cache that SQLite cannot open any more has to be moved away
    /// first.
    ///
    /// The state before is kept as `PATH.before-restore`. What an earlier restore kept there becomes
    /// `PATH.before-restore-2`, in place of what that was.
    ///
    /// No backfill runs meanwhile, and what one planned before is planned again; a refresh that is waiting for its
    /// source applies that to the restored state. Tokens given after the backup was made are then
    /// ``/QuakeModel/TokenFault/future`` or ``/QuakeModel/TokenFault/forked``. The consumers of the present stay, with
    /// their tokens; no key, transaction number or id of a change is given a second time.
    ///
    /// - Parameters:
    ///   - path: where the backup is.
    ///   - acceptsOtherCache: whether the backup may be one of another cache, with another id.
    ///   - takesConsumers: whether the consumers of the backup continue where it has them, because this cache takes the
    ///     place of the one that was backed up.
    /// - Throws: ``StoreError/unsound(path:findings:)`` for a damaged backup, ``StoreError/otherCache(path:)``,
    ///   ``StoreError/backupInUse(path:)`` for the cache itself, ``StoreError/backfilling(path:)``. The cache is
    ///   as it was then, even where there was none.
    @discardableResult
    public func restore(
        from path: String, acceptsOtherCache: Bool = false, takesConsumers: Bool = false
    ) throws -> StoreRestoration {
        for path in [path, self.path] { try QuakeCache.requireFilePath(path) }
        let (source, target) = (FileLocation.resolved(path), FileLocation.resolved(self.path))
        guard source != target else { throw StoreError.backupInUse(path: path) }
        guard access(source, F_OK) == 0 else {
            throw StoreError.cannotOpen(path: path, reason: SystemError(ENOENT).reason)
        }
        guard !CacheFile(path: path).isEmpty else { throw StoreError.notACache(path: path) }
        let found = try backup(at: path).maintenance.verify(full: true)
        guard found.isSound else { throw StoreError.unsound(path: path, findings: found.findings) }
        let file = CacheFile(path: self.path)
        try file.createFolder()
        // A file that is not a cache of this version is refused before a lock file is left beside it.
        if !file.isEmpty { _ = try context(access: .writing) }
        return try CacheLock.hold(cacheAt: self.path) {
            if file.isEmpty { return try create(from: path, at: target, takesConsumers) }
            return try replace(with: path, acceptsOtherCache: acceptsOtherCache, takesConsumers)
        }
    }

    private func backup(at path: String) throws -> QuakeContext {
        try QuakeCache(path: path, configuration: configuration).context(access: .reading)
    }

    /// Makes the cache from a finished file. A log or a journal of an earlier one belongs to nothing any more, and SQLite
    /// would take it for part of the new one.
    private func create(from path: String, at target: String, _ takesConsumers: Bool) throws -> StoreRestoration {
        let draft = try CacheDraft(at: target, named: self.path, suffix: ".restoring", like: nil)
        try draft.fill(from: backup(at: path).connection)
        let token = try draft.edit { restored in
            try ConsumerCarryOver(replacing: nil, by: restored, takesConsumers: takesConsumers).apply()
        }
        // A refresh may have made one meanwhile.
        guard CacheFile(path: target).isEmpty else { throw StoreError.busy(path: self.path) }
        for suffix in CacheFiles.companions { unlink(target + suffix) }
        _ = try draft.takePlace(replacing: access(target, F_OK) == 0)
        return StoreRestoration(token: token)
    }

    private func replace(
        with name: String, acceptsOtherCache: Bool, _ takesConsumers: Bool
    ) throws -> StoreRestoration {
        let backup = try backup(at: name)
        let (writer, reader) = (try context(access: .writing), try context(access: .reading))
        let replaced = try? reader.history.head()
        // One in which nothing was ever recorded has nothing to lose.
        if let replaced, replaced.number > .zero, try replaced.storeID != backup.history.storeID(), !acceptsOtherCache {
            throw StoreError.otherCache(path: name)
        }
        let draft = try CacheDraft(at: FileLocation.resolved(path), named: path, suffix: ".restoring", like: path)
        try draft.fill(from: backup.connection)
        let files = CacheFiles(ofCacheAt: path)
        let token = try draft.edit { restored in
            try restored.connection.take(pageSizeOf: writer.connection)
            let copy = try PageCopy(from: restored.connection, to: writer.connection)
            // From here on nobody else writes: what is kept and taken over is what is replaced.
            try copy.holdTarget()
            try reader.connection.requireWritableCache()
            let token = try ConsumerCarryOver(replacing: reader, by: restored, takesConsumers: takesConsumers).apply()
            try keep(reader, in: files, while: copy.finish)
            return token
        }
        return StoreRestoration(token: token, replaced: replaced, kept: files.newestKept)
    }

    /// Keeps the state that `replaced` reads, even a damaged one, if `body` succeeds.
    private func keep(_ replaced: QuakeContext, in files: CacheFiles, while body: () throws -> Void) throws {
        files.shiftKept()
        do {
            let kept = files.newestKept
            let draft = try CacheDraft(at: kept, named: kept, suffix: ".partial", like: path)
            try draft.fill(from: replaced.connection)
            _ = try draft.takePlace(replacing: false)
            do { try body() } catch {
                // It has what the cache still has.
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
    /// Rewrites all pages where the other database has another page size, which cannot change while it has a log.
    fileprivate func take(pageSizeOf other: Database) throws {
        guard let size = try other.integer("PRAGMA page_size"), try integer("PRAGMA page_size") != size else { return }
        try execute("PRAGMA page_size = \(size); VACUUM")
    }
}
