import FoundationEssentials
import Glibc
import QuakeSystem

/// The files of one cache: the database, what SQLite and the program keep beside it, and the states that restores have
/// replaced. A file has many paths (relative ones, links, folders that are mounted twice), so devices and inodes are
/// compared, and names where there is no file yet.
package struct CacheFiles {
    /// What SQLite keeps beside a database: its log, the index of the log, and the journal of a file without a log.
    static let companions = ["-wal", "-shm", "-journal"]
    private static let live = [""] + companions + [".backfill-lock", ".restoring"]
    private static let kept = ".before-restore"

    private let location: String

    package init(ofCacheAt path: String) { location = FileLocation.resolved(path) }

    /// Whether a file written at `path` would take the place of one of them, or of one that the program may create:
    /// even through links and under other names of the same file.
    ///
    /// - Parameter sparesKept: whether the states that restores have replaced do not count.
    package func contains(_ path: String, sparesKept: Bool = false) -> Bool {
        let written = FileLocation.resolved(path)
        return Self.live.contains { Self.areSame(written, location + $0) } || !sparesKept && isKept(written)
    }

    /// Whether the file at `path`, which no connection of this process has open, is a cache or a backup of one.
    package static func isCache(_ path: String) -> Bool {
        WriteAheadLog.FileHeader(ofDatabaseAt: path)?.applicationID == Schema.applicationID
    }

    /// Whether `path` is that of a state that a restore has replaced, or may have at the next one.
    func isKept(_ path: String) -> Bool {
        let written = FileLocation.resolved(path)
        let (folder, first) = (FileLocation.folder(of: location), "\(FileLocation.name(in: location))\(Self.kept)")
        if Self.isNumbered(FileLocation.name(in: written), after: first),
            FileIdentity.areOne(FileLocation.folder(of: written), folder)
        {
            return true
        }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.contains {
            Self.isNumbered($0[...], after: first) && FileIdentity.areOne(written, "\(folder)/\($0)")
        }
    }

    /// Where the next restore keeps the state that it replaces: `PATH.before-restore`, or the first of
    /// `PATH.before-restore-2` and so on that nothing has, not even a link that leads nowhere.
    func nextKept() -> String {
        var (number, path) = (1, location + Self.kept)
        while (CacheFiles.companions + [""]).contains(where: { FileLocation.isTaken(path + $0) }) {
            number += 1
            path = location + Self.kept + "-\(number)"
        }
        return path
    }

    private static func isNumbered(_ name: Substring, after first: String) -> Bool {
        guard name.hasPrefix(first) else { return false }
        let rest = name.dropFirst(first.count)
        return rest.isEmpty || rest.first == "-" && rest.count > 1 && rest.dropFirst().allSatisfy(\.isNumber)
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
