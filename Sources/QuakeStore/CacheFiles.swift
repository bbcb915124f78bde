import QuakeSystem

/// The files of one cache: the database, what SQLite and the program keep beside it, and the states that restores have
/// replaced. Whoever writes a file asks first whether it is one of them (decision 0161).
package struct CacheFiles {
    private static let live = ["", "-wal", "-shm", "-journal", ".lock", ".backfill-lock", ".restoring"]
    private static let kept = [".before-restore", ".before-restore-2"]

    private let location: String

    /// The files of the cache at `path`, which need not exist.
    package init(ofCacheAt path: String) {
        location = FileLocation.resolved(path)
    }

    /// Whether a file written at `path` would take the place of one of them, or of one that the program may create:
    /// also through links and under other names of the same file.
    ///
    /// - Parameter sparesKept: whether the states that restores have replaced do not count.
    package func contains(_ path: String, sparesKept: Bool = false) -> Bool {
        let written = FileLocation.resolved(path)
        let suffixes = Self.live + (sparesKept ? [] : Self.kept)
        return suffixes.contains { Self.areSame(written, location + $0) }
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
