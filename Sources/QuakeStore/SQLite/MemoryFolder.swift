import FoundationEssentials
import Glibc

/// A folder in memory for a cache with a log. SQLite's in-memory databases have no log, so their readers and writers
/// would block each other. If a process is killed, its folder remains but is unlocked; the next process that creates
/// such a folder removes this leftover.
final class MemoryFolder: Sendable {
    let path: String
    /// The descriptor that holds a lock while the folder is in use.
    private let descriptor: Int32

    init() throws(StoreError) {
        let folders = ["/dev/shm", FileManager.default.temporaryDirectory.path]
        for folder in folders { MemoryFolder.removeLeftovers(in: folder) }
        for folder in folders.flatMap({ Array(repeating: $0, count: MemoryFolder.attempts) }) {
            var template = Array("\(folder)/\(MemoryFolder.prefix)XXXXXX".utf8CString)
            guard mkdtemp(&template) != nil else { continue }
            let bytes = template.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }
            let path = String(decoding: bytes, as: UTF8.self)
            let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            // Between `mkdtemp` and `flock`, another process may have removed the folder as a leftover.
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0, MemoryFolder.isStillThere(path, descriptor) {
                self.path = path
                self.descriptor = descriptor
                return
            }
            close(descriptor)
        }
        throw .cannotOpen(path: "/dev/shm", reason: "no folder can be created there")
    }

    deinit {
        // A folder that cannot be removed is left in place.
        try? FileManager.default.removeItem(atPath: path)
        close(descriptor)
    }

    private static let prefix = "quakes-memory-"
    private static let attempts = 5

    private static func isStillThere(_ path: String, _ descriptor: Int32) -> Bool {
        var named = stat()
        var opened = stat()
        return stat(path, &named) == 0 && fstat(descriptor, &opened) == 0 && named.st_ino == opened.st_ino
            && named.st_dev == opened.st_dev
    }

    private static func removeLeftovers(in folder: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where name.hasPrefix(prefix) {
            let descriptor = open("\(folder)/\(name)", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
                try? FileManager.default.removeItem(atPath: "\(folder)/\(name)")
            }
            close(descriptor)
        }
    }
}
