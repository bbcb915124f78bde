import CSQLite
import Glibc
public import QuakeModel
import QuakeSystem

/// What restoring a backup did.
public struct CacheRestoration: Hashable, Sendable {
    /// The newest token of the cache now.
    public var token: HistoryToken
    /// The newest token that the cache had; nil when there was no cache, or its newest transaction could not be read.
    public var replaced: HistoryToken?
    /// Where the state before is kept; nil when there was no cache.
    public var kept: String?
}

extension QuakeCache {
    /// Gives this cache the state of the backup at `path`, through SQLite, as one transaction.
    ///
    /// Need: the way back after a mistake or damage, while other processes may have the cache open. Hazard: a file that
    /// is renamed over the cache leaves them writing to the old one, whose log has the name of the new one's. Choice:
    /// the pages are written into the cache itself, as one commit; every reader sees the state before or the one after.
    /// Price: a cache that SQLite cannot open any more has to be moved away by hand (decision 0073).
    ///
    /// The state before is kept as a file `PATH.before-restore`, which replaces one of an earlier restore; restoring
    /// that one keeps it, as `PATH.before-restore-2`. The refresh lock is held meanwhile. Tokens given after the backup
    /// was made are then ``/QuakeModel/TokenFault/future`` or ``/QuakeModel/TokenFault/forked``.
    ///
    /// - Parameters:
    ///   - path: where the backup is.
    ///   - acceptsOtherCache: whether the backup may be one of another cache, with another id.
    /// - Throws: ``StoreError/unsound(path:findings:)`` for a damaged backup, ``StoreError/otherCache(path:)``,
    ///   ``StoreError/backupInUse(path:)`` for the cache itself, ``StoreError/refreshing(path:)``, and what opening or
    ///   writing meets. The cache is as it was then.
    @discardableResult
    public func restore(from path: String, acceptsOtherCache: Bool = false) throws -> CacheRestoration {
        let (source, target) = (FileLocation.resolved(path), FileLocation.resolved(self.path))
        guard source != target else { throw StoreError.backupInUse(path: path) }
        guard access(source, F_OK) == 0 else {
            throw StoreError.cannotOpen(path: path, reason: SystemError(ENOENT).reason)
        }
        let backup = try QuakeCache(path: path, configuration: configuration).context(access: .reading)
        let found = try backup.verify()
        guard found.isSound else { throw StoreError.unsound(path: path, findings: found.findings) }
        try CacheFile(path: self.path).createFolder()
        return try RefreshLock.hold(cacheAt: self.path) {
            let isNew = access(self.path, F_OK) != 0
            let present = try context(author: "quakes.restore", access: .creating)
            let replaced = isNew ? nil : try? present.head()
            // One in which nothing was ever recorded is what a restore that was killed leaves.
            if let replaced, replaced.number > 0, try replaced.storeID != backup.storeID(), !acceptsOtherCache {
                throw StoreError.otherCache(path: path)
            }
            let names = [".before-restore", ".before-restore-2"].map { self.path + $0 }
            let kept = isNew ? nil : names.first { FileLocation.resolved($0) != source }
            if let kept { _ = try present.backup(to: kept, replacing: true, checks: false) }
            let token = try backup.snapshot {
                // The first statement fixes the state that is copied.
                let token = try backup.head()
                try backup.connection.copyPages(to: present.connection.handle, named: self.path)
                return token
            }
            return CacheRestoration(token: token, replaced: replaced, kept: kept)
        }
    }
}
