import Glibc
import QuakeSystem

/// The files of one cache: the database, what SQLite and the program keep beside it, and the states that the last two
/// restores replaced. A file has many paths (relative ones, links, folders that are mounted twice), so devices and
/// inodes are compared, and names where there is no file yet.
package struct CacheFiles {
    /// What SQLite keeps beside a database: its log, the index of the log, and the journal of a file without a log.
    static let companions = ["-wal", "-shm", "-journal"]
    private static let live = [""] + companions + [".backfill-lock", ".restoring"]
    /// The third name is in use only while a restore works.
    private static let kept = [".before-restore", ".before-restore-2", ".before-restore-3"]

    private let location: String

    package init(ofCacheAt path: String) { location = FileLocation.resolved(path) }

    /// Whether a file written at `path` would take the place of one of them, or of one that the program may create:
    /// even through links and under other names of the same file.
    ///
    /// - Parameter sparesKept: whether the states that restores have replaced do not count.
    package func contains(_ path: String, sparesKept: Bool = false) -> Bool {
        let written = FileLocation.resolved(path)
        return (sparesKept ? Self.live : Self.live + Self.kept).contains { Self.areSame(written, location + $0) }
    }

    /// Whether the file at `path`, which no connection of this process has open, is a cache or a backup of one.
    package static func isCache(_ path: String) -> Bool {
        WriteAheadLog.FileHeader(ofDatabaseAt: path)?.applicationID == Schema.applicationID
    }

    /// Where a restore keeps the state that it replaces.
    var newestKept: String { location + Self.kept[0] }

    /// Gives the kept states older names, so that the newest name is free.
    func shiftKept() {
        for index in [1, 0] { move(Self.kept[index], to: Self.kept[index + 1]) }
    }

    /// Takes ``shiftKept()`` back.
    func unshiftKept() {
        for index in [0, 1] { move(Self.kept[index + 1], to: Self.kept[index]) }
    }

    /// Removes the state that has been shifted out.
    func removeOldestKept() {
        for suffix in [""] + Self.companions { unlink(location + Self.kept[2] + suffix) }
    }

    /// A link is moved, not followed.
    private func move(_ old: String, to new: String) {
        for suffix in [""] + Self.companions { rename(location + old + suffix, location + new + suffix) }
    }

    /// Whether two paths without links are one file, or one name in one folder.
    private static func areSame(_ left: String, _ right: String) -> Bool {
        if left == right || FileIdentity.areOne(left, right) { return true }
        return FileLocation.name(in: left) == FileLocation.name(in: right)
            && FileIdentity.areOne(FileLocation.folder(of: left), FileLocation.folder(of: right))
    }
}

extension FileIdentity {
    /// Whether both paths lead to one file or folder that is there.
    fileprivate static func areOne(_ left: String, _ right: String) -> Bool {
        FileIdentity(left).map { $0 == FileIdentity(right) } ?? false
    }
}
