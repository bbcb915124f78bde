import CQuakesSQLite
import Glibc
import QuakeSystem

/// A copy of a cache that was made while others may have been writing.
public struct StoreBackup: Hashable, Sendable {
    public var path: String
    public var bytes: Int64
    /// The newest token of the state that it holds.
    public var token: HistoryToken
}

extension StoreMaintenance {
    /// Writes the current state as one file without a log, through SQLite's backup interface, safe while others write.
    ///
    /// The copy is written beside `path`, checked as
    /// ``QuakeCache/restore(from:acceptsOtherCache:takesConsumers:)`` checks it,
    /// synchronized with the disk, and only then gets its name. What an interrupted backup leaves, `PATH.partial`, the
    /// next one removes.
    ///
    /// - Parameters:
    ///   - path: where the copy is to be.
    ///   - replacing: whether a file at `path` may be replaced.
    /// - Throws: ``StoreError/fileExists(path:)``; ``StoreError/backupInUse(path:)`` for a file that some program has
    ///   open, or the cache itself; ``StoreError/contextState(_:)`` in a pinned context;
    ///   ``StoreError/unsound(path:findings:)`` for a damaged cache; what writing meets. A file at `path` is as it was
    ///   then.
    @discardableResult
    public func backup(to path: String, replacing: Bool = false) throws -> StoreBackup {
        guard !context.isWriting else { throw StoreError.contextState("a backup inside a transaction") }
        guard !context.isPinned else { throw StoreError.contextState("a backup of a pinned cache") }
        try QuakeCache.requireFilePath(path)
        let target = BackupLocation(FileLocation.resolved(path), named: path)
        try target.requireFree(of: context.cache.path, replacing: replacing)
        let held = try target.hold()
        defer { withExtendedLifetime(held) {} }
        let draft = try CacheDraft(at: target.path, named: path, suffix: ".partial", like: context.cache.path)
        let token = try context.snapshot {
            // The first statement fixes the state that the copy is made of.
            let token = try context.history.head()
            try draft.fill(from: context.database())
            return token
        }
        let found = try draft.open().maintenance.verify(full: true)
        guard found.isSound else { throw StoreError.unsound(path: context.cache.path, findings: found.findings) }
        return StoreBackup(path: path, bytes: try draft.takePlace(replacing: replacing), token: token)
    }
}
