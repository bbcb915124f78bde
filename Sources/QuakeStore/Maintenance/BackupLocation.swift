import CQuakesSQLite
import Glibc
import QuakeSystem

/// Where a backup is to be, and the file that has this place until then.
struct BackupLocation {
    let path: String
    /// The path as it was given, for messages.
    private let name: String

    init(_ path: String, named name: String) { (self.path, self.name) = (path, name) }

    func requireFree(of cache: String, replacing: Bool) throws {
        let files = CacheFiles(ofCacheAt: cache)
        guard ![path, path + ".partial"].contains(where: { files.contains($0, sparesKept: true) }) else {
            throw StoreError.backupInUse(path: name)
        }
        guard FileIdentity(path) != nil else {
            // SQLite would take what was left of another file for the log of the new one.
            for left in leftovers {
                throw StoreError.cannotOpen(
                    path: name, reason: "\(left) is left over from another file; move it away first")
            }
            return
        }
        guard replacing else { throw StoreError.fileExists(path: name) }
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw StoreError.cannotOpen(path: name, reason: "it is not a regular file")
        }
    }

    /// Keeps everyone else from opening the database that is here, and leaves nothing beside it that SQLite could take
    /// for part of the new one. Nil if there is none.
    ///
    /// - Throws: ``StoreError/backupInUse(path:)`` where a program reads or writes it, or has it open with a log.
    func hold() throws -> HeldDatabase? {
        guard FileIdentity(path) != nil else { return nil }
        let held: HeldDatabase?
        do {
            held = try HeldDatabase(at: path)
        } catch StoreError.busy {
            throw StoreError.backupInUse(path: name)
        }
        guard leftovers.isEmpty else { throw StoreError.backupInUse(path: name) }
        return held
    }

    /// Logs and journals that lie here.
    private var leftovers: [String] { ["-wal", "-journal"].map { path + $0 }.filter(FileLocation.isTaken) }
}

/// A database that nobody else can read or write as long as this lives.
///
/// Its log or journal, such as a program that was killed leaves, is moved into it first, by SQLite.
final class HeldDatabase {
    private let handle: OpaquePointer

    /// Nil if the file is no database, or one that this user may not write.
    ///
    /// - Throws: ``StoreError/busy(path:)`` where another connection holds it.
    init?(at path: String) throws {
        do {
            handle = try CacheFile(path: path).connect(for: .writing, StoreConfiguration(busyTimeout: .zero))
        } catch StoreError.readOnly {
            return nil
        }
        var keeps: Int32 = 0
        sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &keeps)
        // A log can be given up, and an exclusive transaction begun, only where nobody else has the file open. A damaged
        // file fails otherwise, and may be replaced.
        let code = sqlite3_exec(handle, "PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE", nil, nil, nil)
        if [SQLITE_BUSY, SQLITE_LOCKED].contains(code & 0xFF) {
            sqlite3_close_v2(handle)
            throw StoreError.busy(path: path)
        }
    }

    deinit { sqlite3_close_v2(handle) }
}
