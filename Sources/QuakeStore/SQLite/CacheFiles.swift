import Glibc
import QuakeSystem

/// The files of one cache: the database, the files that SQLite and this program keep beside it, and the states replaced
/// by the last two restores. A file can have many paths (relative paths, links, folders mounted twice), so files are
/// compared by device and inode, or by name if no file exists yet.
package struct CacheFiles {
    /// The suffixes of the files that SQLite keeps beside a database: the log, its index, and the rollback journal.
    static let companions = ["-wal", "-shm", "-journal"]
    /// The suffix of the file that a backfill or a restore locks.
    static let backfillLock = ".backfill-lock"
    /// The suffix of the file that a consumer's reader locks; a hash of the consumer's name follows.
    static let readerLock = ".reader-lock-"
    /// The suffix of the draft with which a restore replaces the cache.
    static let restoring = ".restoring"
    private static let liveSuffixes = [""] + companions + [backfillLock, restoring]
    /// The suffixes of the copies of states that restores replaced, newest first. The third suffix is used only during
    /// a restore.
    private static let keptSuffixes = [".before-restore", ".before-restore-2", ".before-restore-3"]

    private let location: String

    package init(ofCacheAt path: String) { location = FileLocation.resolved(path) }

    /// Whether a file written at `path` would replace one of the cache's files, or take the name of a file that the
    /// program may create. Follows links, and recognizes other names of the same file.
    ///
    /// - Parameter sparesKept: whether to exclude the states replaced by restores.
    package func contains(_ path: String, sparesKept: Bool = false) -> Bool {
        let written = FileLocation.resolved(path)
        let isLock = FileLocation.name(in: written).hasPrefix(FileLocation.name(in: location) + Self.readerLock)
        if isLock, FileIdentity.areSameFile(FileLocation.folder(of: written), FileLocation.folder(of: location)) {
            return true
        }
        return (sparesKept ? Self.liveSuffixes : Self.liveSuffixes + Self.keptSuffixes).contains {
            Self.areSame(written, location + $0)
        }
    }

    /// Whether the file at `path` is a cache or a backup of one. This process must have no connection to the file.
    package static func isCache(_ path: String) -> Bool {
        WriteAheadLog.FileHeader(ofDatabaseAt: path)?.applicationID == CacheFile.applicationID
    }

    /// The path at which a restore keeps the state that it replaces.
    var newestKept: String { location + Self.keptSuffixes[0] }

    /// Renames each state kept by a restore to the next older suffix, so that the newest suffix is free.
    func shiftKept() {
        for index in [1, 0] { move(Self.keptSuffixes[index], to: Self.keptSuffixes[index + 1]) }
    }

    /// Reverses ``shiftKept()``.
    func unshiftKept() {
        for index in [0, 1] { move(Self.keptSuffixes[index + 1], to: Self.keptSuffixes[index]) }
    }

    /// Removes the state that was renamed to the oldest suffix.
    func removeOldestKept() {
        for suffix in [""] + Self.companions { unlink(location + Self.keptSuffixes[2] + suffix) }
    }

    /// Renames a kept database and its companions. Renames a link itself, not the file to which it leads.
    private func move(_ old: String, to new: String) {
        for suffix in [""] + Self.companions { rename(location + old + suffix, location + new + suffix) }
    }

    /// Whether two paths with resolved links lead to the same file, or have the same name in the same folder.
    private static func areSame(_ left: String, _ right: String) -> Bool {
        if left == right || FileIdentity.areSameFile(left, right) { return true }
        return FileLocation.name(in: left) == FileLocation.name(in: right)
            && FileIdentity.areSameFile(FileLocation.folder(of: left), FileLocation.folder(of: right))
    }
}
