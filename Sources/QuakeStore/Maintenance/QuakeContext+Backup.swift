import CSQLite
import Glibc
public import QuakeModel

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
    /// and only then gets its name. What an interrupted backup leaves, `PATH.partial`, the next one uses again.
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
            try draft.fill(from: database())
            return token
        }
        if checks {
            let copy = try QuakeCache(path: draft.path).context(access: .reading)
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

    func draft(mode: mode_t) throws -> BackupDraft {
        try BackupDraft(path + ".partial", named: name, mode: mode)
    }

    /// Gives the draft its name and returns its size.
    func accept(_ draft: BackupDraft, replacing: Bool) throws -> Int64 {
        let size = try draft.synchronize()
        // link() refuses a name that has come into use meanwhile.
        let isDone = replacing ? rename(draft.path, path) == 0 : link(draft.path, path) == 0
        guard isDone else {
            throw errno == EEXIST ? StoreError.fileExists(path: name) : StoreError.cannotOpen(path: name, errno: errno)
        }
        let folder = open(FileLocation.folder(of: path), O_RDONLY | O_CLOEXEC | O_DIRECTORY)
        guard folder >= 0 else { return size }
        defer { close(folder) }
        guard fsync(folder) == 0 || errno == EINVAL else { throw StoreError.cannotOpen(path: name, errno: errno) }
        return size
    }
}

/// The file in which a backup is written. Its owner holds a lock on it, and removes it in the end.
private final class BackupDraft {
    let path: String
    private let name: String
    private let descriptor: Int32

    init(_ path: String, named name: String, mode: mode_t) throws {
        self.path = path
        self.name = name
        descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw StoreError.cannotOpen(path: name, errno: errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, ftruncate(descriptor, 0) == 0 else {
            let code = errno
            close(descriptor)
            throw code == EWOULDBLOCK ? StoreError.busy(path: path) : StoreError.cannotOpen(path: name, errno: code)
        }
        fchmod(descriptor, mode)
        for suffix in ["-wal", "-shm", "-journal"] { unlink(path + suffix) }
    }

    deinit {
        // Nothing is left to remove where it was renamed.
        unlink(path)
        close(descriptor)
    }

    /// Copies the state that the transaction of `source` sees, as a file that needs no log to be read: also by a user
    /// who may not write it (decision 0121).
    func fill(from source: Database) throws {
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
        defer { sqlite3_close_v2(opened) }
        try StoreError.check(code, on: opened, path: name)
        // A draft that fails is thrown away, and the whole of it is synchronized in the end.
        let isPlain = sqlite3_exec(opened, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF", nil, nil, nil)
        try StoreError.check(isPlain, on: opened, path: name)
        try source.copyPages(to: opened, named: name)
        // The versions in SQLite's header: 2 is a file with a log, 1 is one without.
        guard pwrite(descriptor, [1, 1] as [UInt8], 2, 18) == 2 else {
            throw StoreError.cannotOpen(path: name, errno: errno)
        }
    }

    /// Waits until all of it is on the disk, and returns its size.
    func synchronize() throws -> Int64 {
        var status = stat()
        guard fsync(descriptor) == 0, fstat(descriptor, &status) == 0 else {
            throw StoreError.cannotOpen(path: name, errno: errno)
        }
        return Int64(status.st_size)
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

extension StoreError {
    /// A file that cannot be opened or written, with the system's words for the error number `code`.
    fileprivate static func cannotOpen(path: String, errno code: Int32) -> StoreError {
        code == ENOSPC ? .diskFull(path: path) : .cannotOpen(path: path, reason: String(cString: strerror(code)))
    }
}
