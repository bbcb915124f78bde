import FoundationEssentials
import Glibc

/// Finds the other processes that have a SQLite database open, by the locks that SQLite holds on the file and on the
/// index of its log.
package enum LockHolders {
    /// Returns the names and ids of the processes that have the database at `path` open, such as `quakes (4711)`.
    package static func names(ofDatabaseAt path: String) -> [String] {
        guard let locks = try? String(contentsOfFile: "/proc/locks", encoding: .utf8) else { return [] }
        let nodes = ["", "-shm"].compactMap { FileLocation.status(of: path + $0).map { String($0.st_ino) } }
        let ids = locks.split(separator: "\n").compactMap { line -> Int32? in
            // A line of /proc/locks: "1: POSIX  ADVISORY  READ 4711 08:01:1234 1073741826 1073742335".
            let fields = line.split(separator: " ")
            guard fields.count == 8, fields[1] == "POSIX", let node = fields[5].split(separator: ":").last,
                nodes.contains(String(node)), let first = Int(fields[6]), first >= 1 << 30 || (120...128) ~= first
            else { return nil }
            return Int32(fields[4])
        }
        return Set(ids).subtracting([getpid()]).sorted().filter { $0 > 0 }.map { id in
            let name = try? String(contentsOfFile: "/proc/\(id)/comm", encoding: .utf8)
            return "\(name?.split(separator: "\n").first ?? "process") (\(id))"
        }
    }
}
