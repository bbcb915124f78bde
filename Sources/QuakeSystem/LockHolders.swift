import FoundationEssentials
import Glibc

/// Finds the processes that hold a lock on a file, in /proc/locks.
package enum LockHolders {
    /// Returns the names and ids, such as `quakes (4711)`, of the other processes that have the SQLite database at
    /// `path` open. Finds them by the locks that SQLite holds on the file and on the index of its log.
    package static func names(ofDatabaseAt path: String) -> [String] {
        ids(of: "POSIX", on: ["", "-shm"].map { path + $0 }) { $0 >= 1 << 30 || (120...128) ~= $0 }
            .subtracting([getpid()]).sorted().map(name)
    }

    /// Returns the names and ids of the processes that hold the ``LockFile`` at `path`, perhaps including this process.
    package static func names(ofLockAt path: String) -> [String] { ids(of: "FLOCK", on: [path]).sorted().map(name) }

    /// Returns the ids of the processes that hold a lock of this kind on one of the files. The offset of the lock's
    /// first byte must satisfy `isMatch`.
    private static func ids(
        of kind: String, on paths: [String], from isMatch: (Int) -> Bool = { _ in true }
    ) -> Set<Int32> {
        guard let locks = try? String(contentsOfFile: "/proc/locks", encoding: .utf8) else { return [] }
        let nodes = paths.compactMap { FileLocation.status(of: $0).map { String($0.st_ino) } }
        let ids = locks.split(separator: "\n").compactMap { line -> Int32? in
            // A line of /proc/locks: "1: POSIX  ADVISORY  READ 4711 08:01:1234 1073741826 1073742335".
            let fields = line.split(separator: " ")
            guard fields.count == 8, fields[1] == kind, let node = fields[5].split(separator: ":").last,
                nodes.contains(String(node)), let first = Int(fields[6]), isMatch(first)
            else { return nil }
            return Int32(fields[4])
        }
        return Set(ids.filter { $0 > 0 })
    }

    private static func name(of id: Int32) -> String {
        let name = try? String(contentsOfFile: "/proc/\(id)/comm", encoding: .utf8)
        return "\(name?.split(separator: "\n").first ?? "process") (\(id))"
    }
}
