import QuakeSystem

/// A backup: a copy of a cache, made even while others write.
public struct StoreBackup: Hashable, Sendable {
    public var path: String
    public var bytes: Int64
    /// The newest token of the copied state.
    public var token: HistoryToken
}

extension StoreMaintenance {
    /// Copies the current state to a single file, even while others write.
    ///
    /// The copy is verified and flushed to disk before it gets the name `path`. Until then, it has no name, so that an
    /// interrupted backup leaves nothing behind. On a file system without unnamed files, the unfinished copy is
    /// `PATH.partial`; if one is left behind, the next backup removes it. A symbolic link at `path` is refused.
    ///
    /// - Parameters:
    ///   - path: the path of the copy.
    ///   - replacing: whether the copy may replace a file at `path`.
    /// - Throws: ``StoreError/fileExists(path:)`` if a file exists and must not be replaced;
    ///   ``StoreError/backupInUse(path:)`` if a program has that file open, or if `path` belongs to the cache itself;
    ///   ``StoreError/contextState(_:)`` inside a transaction or in a pinned context;
    ///   ``StoreError/unsound(path:findings:)`` for a damaged cache; and errors in writing the copy. After an error, a
    ///   file at `path` is unchanged.
    @discardableResult
    public func backup(to path: String, replacing: Bool = false) throws -> StoreBackup {
        guard !context.isWriting else { throw StoreError.contextState("a backup inside a transaction") }
        guard !context.isPinned else { throw StoreError.contextState("a backup of a pinned cache") }
        try QuakeCache.requireFilePath(path)
        let target = BackupLocation(path: path, name: path)
        try target.requireFree(of: context.cache.path, replacing: replacing)
        let held = try target.hold()
        defer { withExtendedLifetime(held) {} }
        let draft = try CacheDraft(at: target.path, named: path, suffix: ".partial", like: context.cache.path)
        let token = try context.snapshot {
            // The first statement fixes the state to be copied.
            let token = try context.history.currentToken()
            try draft.fill(from: context.session.database())
            return token
        }
        let found = try draft.edit { try $0.maintenance.verify(full: true) }
        guard found.isSound else {
            throw StoreError.unsound(path: context.cache.path, findings: found.findings.map(\.detail))
        }
        return StoreBackup(path: path, bytes: try draft.moveIntoPlace(replacing: replacing), token: token)
    }
}
