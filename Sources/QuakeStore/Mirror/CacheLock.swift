import Glibc
import QuakeSystem

/// Prevents two backfills of a cache, or a backfill and a restore, from running at the same time, because a backfill
/// takes hours and many transactions. A refresh needs only its transaction's own lock (decision 0213).
///
/// The lock is on a separate file, because SQLite's own lock would have to be held while waiting for a slow server. It
/// is advisory (flock), ends with the process, and does not work on network file systems. The lock file is beside the
/// cache's actual file, after following symbolic links. A file with hard links is never written to (``CacheFile``).
package enum CacheLock {
    /// Runs `body` while holding the lock for the cache at `path`.
    ///
    /// - Throws: ``StoreError/backfilling(path:)`` if another process holds the lock,
    ///   ``StoreError/cannotOpen(path:reason:)`` if the lock file cannot be opened, created or locked, and the errors
    ///   of `body`.
    /// - Parameter lock: tries to lock a descriptor, and returns 0 or an error number.
    package static func hold<Result>(
        cacheAt path: String, lock: (Int32) -> Int32 = { flock($0, LOCK_EX | LOCK_NB) == 0 ? 0 : errno },
        _ body: () throws -> Result
    ) throws -> Result {
        let location = FileLocation.resolved(path)
        let lockPath = lockPath(ofCacheAt: location)
        let descriptor = try openLock(lockPath, ofCacheAt: location)
        defer { close(descriptor) }
        let start = ContinuousClock.now
        while true {
            switch lock(descriptor) {
            case 0:
                // Closing is not enough: a child that this process has just forked holds a copy of the descriptor, and
                // with it the lock, until it executes its program.
                defer { flock(descriptor, LOCK_UN) }
                return try body()
            case EINTR: continue
            case EWOULDBLOCK:
                // ``isHeld(cacheAt:)`` locks the file briefly, which must not be mistaken for another backfill.
                guard ContinuousClock.now - start < .milliseconds(100) else { throw StoreError.backfilling(path: path) }
                usleep(50_000)
            case let error:
                throw StoreError.cannotOpen(
                    path: lockPath, reason: "it cannot be locked (\(SystemError(error).reason))")
            }
        }
    }

    /// Whether the lock for the cache at `path` is held; false if the system cannot determine it.
    package static func isHeld(cacheAt path: String) -> Bool {
        let lockPath = lockPath(ofCacheAt: FileLocation.resolved(path))
        guard FileLocation.obstacle(at: lockPath) == nil else { return false }
        let descriptor = open(lockPath, O_RDONLY | flags)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        // Take a shared lock, so that two callers do not mistake each other for the holder.
        guard flock(descriptor, LOCK_SH | LOCK_NB) == 0 else { return errno == EWOULDBLOCK }
        flock(descriptor, LOCK_UN)
        return false
    }

    /// Flags for opening the lock file without following a link or waiting on a pipe that someone has put there.
    private static let flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK

    private static func lockPath(ofCacheAt location: String) -> String { location + ".backfill-lock" }

    /// Opens the lock file, creating it for the users of the cache: anyone who may write to the cache may lock it.
    ///
    /// Several users may share a cache in a common folder, whatever the first user's umask. So the lock's owner, or
    /// root, copies the cache's permissions to the lock each time. Other users need only read access for flock. Anyone
    /// who may read a cache can therefore delay its backfills.
    private static func openLock(_ lockPath: String, ofCacheAt path: String) throws -> Int32 {
        let cache = FileAccess(of: path)
        // Opening a device could do anything.
        if let obstacle = FileLocation.obstacle(at: lockPath) {
            throw StoreError.cannotOpen(path: lockPath, reason: obstacle)
        }
        var descriptor = open(lockPath, O_RDWR | O_CREAT | flags, cache?.mode ?? CacheFile(path: path).newMode)
        if descriptor < 0, errno == EACCES { descriptor = open(lockPath, O_RDONLY | flags) }
        guard descriptor >= 0 else {
            throw StoreError.cannotOpen(path: lockPath, reason: SystemError().reason)
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw StoreError.cannotOpen(path: lockPath, reason: "it is not a regular file")
        }
        // Change only the permissions of the user's own lock file, never those of another file to which it is a link.
        let isOwn = status.st_uid == geteuid() && status.st_nlink == 1 && status.st_size == 0
        if isOwn { cache?.give(to: descriptor) }
        return descriptor
    }
}
