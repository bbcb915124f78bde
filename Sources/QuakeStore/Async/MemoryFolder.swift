import FoundationEssentials
import Glibc

/// A folder in memory that is there as long as anything refers to it.
///
/// Need: a cache without a file that can do all that others can. Hazard: SQLite's own databases in memory have no log, so
/// that a reader and a writer keep each other waiting. Choice: files of a file system that lies in memory. Price: a
/// process that is killed leaves them; the next one that makes such a folder removes them, which a lock that ended with
/// its holder allows.
final class MemoryFolder: Sendable {
    let path: String
    /// Locked as long as the folder is in use.
    private let descriptor: Int32

    init() throws(StoreError) {
        for folder in ["/dev/shm", FileManager.default.temporaryDirectory.path] {
            MemoryFolder.removeLeftovers(in: folder)
            var template = Array("\(folder)/\(MemoryFolder.prefix)XXXXXX".utf8CString)
            guard mkdtemp(&template) != nil else { continue }
            let path = String(decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
                (self.path, self.descriptor) = (path, descriptor)
                return
            }
            close(descriptor)
        }
        throw .cannotOpen(path: "/dev/shm", reason: "no folder can be created there")
    }

    deinit {
        MemoryFolder.remove(path)
        close(descriptor)
    }

    private static let prefix = "quakes-memory-"

    private static func removeLeftovers(in folder: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where name.hasPrefix(prefix) {
            let descriptor = open("\(folder)/\(name)", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { remove("\(folder)/\(name)") }
            close(descriptor)
        }
    }

    private static func remove(_ path: String) {
        // What cannot be removed, such as a folder of another user, stays.
        try? FileManager.default.removeItem(atPath: path)
    }
}
