import CSQLite
import Glibc
public import QuakeModel
import QuakeSystem

/// A copy of a cache that was made while others may have been writing.
public struct CacheBackup: Hashable, Sendable {
    /// Where the copy is.
    public var path: String
    /// Its size in bytes.
    public var bytes: Int64
    /// The newest token of the state that it holds.
    public var token: HistoryToken
}

extension QuakeContext {
    /// Writes the present state as one file without a log, through SQLite's backup interface, safe while others write.
    ///
    /// The copy is written beside `path`, checked (its pages, its id, its newest token), synchronized with the disk,
    /// and only then gets its name. What an interrupted backup leaves, `PATH.partial`, the next one removes.
    ///
    /// - Parameters:
    ///   - path: where the copy is to be.
    ///   - replacing: whether a file at `path` may be replaced.
    /// - Throws: ``StoreError/fileExists(path:)``; ``StoreError/backupInUse(path:)`` for a file that some program has
    ///   open, or the cache itself; ``StoreError/contextState(_:)`` in a pinned context;
    ///   ``StoreError/unsound(path:findings:)`` when the copy is damaged as the cache is; what writing meets.
    @discardableResult
    public func backup(to path: String, replacing: Bool = false) throws -> CacheBackup {
        try backup(to: path, replacing: replacing, checks: true)
    }

    /// The same; without `checks`, also a damaged cache is copied as it is.
    func backup(to path: String, replacing: Bool, checks: Bool) throws -> CacheBackup {
        guard !isPinned else { throw StoreError.contextState("a backup of a pinned cache") }
        let target = BackupFile(FileLocation.resolved(path), named: path)
        try target.requireFree(of: cache.path, replacing: replacing)
        let draft = try target.draft(mode: fileMode)
        let token = try snapshot {
            // The first statement fixes the state that the copy is made of.
            let token = checks ? try head() : try? head()
            try target.fill(draft, from: database())
            return token
        }
        if checks {
            let copy = try QuakeCache(path: draft.name).context(access: .reading)
            let found = try copy.verifyPages()
            guard found.isSound else { throw StoreError.unsound(path: path, findings: found.findings) }
            guard try copy.head() == token else {
                throw StoreError.corrupt(path: path, reason: "the copy has another newest transaction")
            }
        }
        let bytes = try target.accept(draft, replacing: replacing)
        return CacheBackup(
            path: path, bytes: bytes, token: token ?? HistoryToken(storeID: "0", number: 0, fingerprint: 0))
    }

    private var fileMode: mode_t {
        var status = stat()
        return stat(cache.path, &status) == 0 ? status.st_mode & 0o777 : 0o600
    }
}

/// The file that a backup becomes.
private struct BackupFile {
    let path: String
    /// The path as it was given, for messages.
    let name: String

    init(_ path: String, named name: String) {
        self.path = path
        self.name = name
    }

    func requireFree(of cache: String, replacing: Bool) throws {
        var (present, source) = (stat(), stat())
        guard stat(path, &present) == 0 else { return }
        guard stat(cache, &source) != 0 || present.st_ino != source.st_ino || present.st_dev != source.st_dev else {
            throw StoreError.backupInUse(path: name)
        }
        guard replacing else { throw StoreError.fileExists(path: name) }
        guard present.st_mode & S_IFMT == S_IFREG else {
            throw StoreError.cannotOpen(path: name, reason: "it is not a regular file")
        }
        // A reader of the old backup that was killed left its log. The next one empties and removes it.
        if access(path + "-wal", F_OK) == 0 { _ = try? QuakeCache(path: path).context() }
        // The new file must not come to lie beside the log of the old one.
        guard access(path + "-wal", F_OK) != 0 else { throw StoreError.backupInUse(path: name) }
    }

    /// An empty draft. SQLite opens it by its name.
    func draft(mode: mode_t) throws -> FileDraft {
        do throws(ReplacedFile.Failure) {
            let draft = try FileDraft(of: ReplacedFile(path), mode: mode, namedWith: ".partial")
            for suffix in ["-wal", "-shm", "-journal"] { unlink(draft.name + suffix) }
            return draft
        } catch {
            throw error.code == EWOULDBLOCK ? StoreError.busy(path: path + ".partial") : failure(error)
        }
    }

    /// Copies the state that the transaction of `source` sees into `draft`, as a file that needs no log to be read: also
    /// by a user who may not write it (decision 0121).
    func fill(_ draft: FileDraft, from source: Database) throws {
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(draft.name, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
        defer { sqlite3_close_v2(opened) }
        try StoreError.check(code, on: opened, path: name)
        // A draft that fails is thrown away, and the whole of it is synchronized in the end.
        let isPlain = sqlite3_exec(opened, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF", nil, nil, nil)
        try StoreError.check(isPlain, on: opened, path: name)
        try source.copyPages(to: opened, named: name)
        // The versions in SQLite's header: 2 is a file with a log, 1 is one without.
        guard pwrite(draft.descriptor, [1, 1] as [UInt8], 2, 18) == 2 else {
            throw StoreError.cannotOpen(path: name, reason: SystemError().reason)
        }
    }

    /// Gives the draft its place and returns its size.
    func accept(_ draft: FileDraft, replacing: Bool) throws -> Int64 {
        do throws(ReplacedFile.Failure) {
            try draft.takePlace(replacing: replacing)
        } catch {
            throw error.code == EEXIST ? StoreError.fileExists(path: name) : failure(error)
        }
        var status = stat()
        return fstat(draft.descriptor, &status) == 0 ? Int64(status.st_size) : 0
    }

    private func failure(_ error: ReplacedFile.Failure) -> StoreError {
        error.code == ENOSPC ? .diskFull(path: name) : .cannotOpen(path: name, reason: error.reason)
    }
}

extension Database {
    /// Copies every page of the state that this connection sees into the database of `target`, as one transaction
    /// there.
    func copyPages(to target: OpaquePointer?, named name: String) throws {
        guard let copy = sqlite3_backup_init(target, "main", handle, "main") else {
            throw StoreError(code: sqlite3_errcode(target), connection: target, path: name)
        }
        let step = sqlite3_backup_step(copy, -1)
        let end = sqlite3_backup_finish(copy)
        try StoreError.check(step == SQLITE_DONE ? end : step, on: target, path: name)
    }
}
