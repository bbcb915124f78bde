import Glibc
import QuakeSystem

/// The path of a future backup, and any file that already exists there.
struct BackupLocation {
    let path: String
    /// The path as the caller gave it, for messages.
    let name: String

    func requireFree(of cache: String, replacing: Bool) throws {
        let files = CacheFiles(ofCacheAt: cache)
        guard ![path, path + ".partial"].contains(where: { files.contains($0, sparesKept: true) }) else {
            throw StoreError.backupInUse(path: name)
        }
        let obstacle = FileLocation.obstacle(at: path)
        if let obstacle, FileLocation.isLink(path) { throw StoreError.cannotOpen(path: name, reason: obstacle) }
        guard FileIdentity(path) != nil else {
            // SQLite would mistake a leftover file for the log of the new database.
            for left in leftovers {
                throw StoreError.cannotOpen(
                    path: name, reason: "\(left) is left over from another file; move it away first")
            }
            return
        }
        guard replacing else { throw StoreError.fileExists(path: name) }
        if let obstacle { throw StoreError.cannotOpen(path: name, reason: obstacle) }
    }

    /// Prevents other programs from opening the existing database, and removes the files beside it that SQLite could
    /// mistake for parts of the new one. Returns nil if there is no file, if it is empty, or if the user may not write
    /// to it.
    ///
    /// - Throws: ``StoreError/backupInUse(path:)`` if a program is using the database, or has it open with a log.
    func hold() throws -> HeldDatabase? {
        guard let status = FileLocation.status(of: path), status.st_size > 0 else { return nil }
        let held: HeldDatabase?
        do {
            held = try HeldDatabase(at: path)
        } catch StoreError.busy {
            throw StoreError.backupInUse(path: name)
        }
        guard leftovers.isEmpty else { throw StoreError.backupInUse(path: name) }
        return held
    }

    /// Leftover logs and journals beside the path.
    private var leftovers: [String] { ["-wal", "-journal"].map { path + $0 }.filter(FileLocation.isTaken) }
}
