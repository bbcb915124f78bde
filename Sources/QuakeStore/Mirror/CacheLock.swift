import Glibc
import QuakeSystem

/// Keeps two backfills of one cache from running at the same time, and a restore beside one: a backfill works for hours
/// by a plan, in many transactions. A refresh needs no lock but that of its transaction (decision 0213).
///
/// A lock on a file beside the cache, because SQLite's own lock would have to be held while a server is slow: advisory
/// (flock), ended with the process, not for files on a network. It lies beside the file that symbolic links lead to; a
/// file with several names (hard links) is not written at all (``CacheFile``).
package enum CacheLock {
    /// Runs `body` holding the lock for the cache at `path`.
    ///
    /// - Throws: ``StoreError/backfilling(path:)`` when another one holds it,
    ///   ``StoreError/cannotOpen(path:reason:)`` when the file beside the cache
    ///   cannot be opened, created or locked, and what `body` throws.
    /// - Parameter lock: tries to lock a descriptor, and returns 0 or an error number.
    package static func hold<Result>(
        cacheAt path: String, lock: (Int32) -> Int32 = { flock($0, LOCK_EX | LOCK_NB) == 0 ? 0 : errno },
        _ body: () throws -> Result
    ) throws -> Result {
        let location = FileLocation.resolved(path)
        let lockPath = lockPath(ofCacheAt: location)
        let descriptor = try openLock(lockPath, ofCacheAt: location)
        defer { close(descriptor) }
        let clock = ContinuousClock()
        let start = clock.now
        while true {
            switch lock(descriptor) {
            case 0:
                // Closing alone would not do: a child that this process has just forked holds a copy until it runs its
                // program, and with it the lock.
                defer { flock(descriptor, LOCK_UN) }
                return try body()
            case EINTR: continue
            case EWOULDBLOCK:
                // ``isHeld(cacheAt:)`` locks the file for a moment; that must not look like another backfill.
                guard clock.now - start < .milliseconds(100) else { throw StoreError.backfilling(path: path) }
                usleep(50_000)
            case let error:
                throw StoreError.cannotOpen(
                    path: lockPath, reason: "it cannot be locked (\(SystemError(error).reason))")
            }
        }
    }

    /// Whether the lock for the cache at `path` is held. False if the system cannot tell.
    package static func isHeld(cacheAt path: String) -> Bool {
        let descriptor = open(lockPath(ofCacheAt: FileLocation.resolved(path)), O_RDONLY | flags)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        // A shared lock, so that two callers do not mistake each other for a holder.
        guard flock(descriptor, LOCK_SH | LOCK_NB) == 0 else { return errno == EWOULDBLOCK }
        flock(descriptor, LOCK_UN)
        return false
    }

    /// Neither follows a link nor waits for the other end of a pipe, which anybody may have put there.
    private static let flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK

    private static func lockPath(ofCacheAt location: String) -> String { location + ".backfill-lock" }

    /// Opens the file, and creates it for those who may use the cache: whoever may write the cache may lock it.
    ///
    /// Several users may fill a cache in a folder that they share, whatever the umask of the first one: the owner of
    /// the lock, and root, make it like the cache each time, and for another user it is enough to read it, which flock
    /// allows. Whoever may read a cache may therefore hold up its backfills.
    private static func openLock(_ lockPath: String, ofCacheAt path: String) throws -> Int32 {
        let cache = FileAccess(of: path)
        var descriptor = open(lockPath, O_RDWR | O_CREAT | flags, cache?.mode ?? NewCacheFile(path: path).mode)
        if descriptor < 0, errno == EACCES { descriptor = open(lockPath, O_RDONLY | flags) }
        guard descriptor >= 0 else {
            let reason = errno == ELOOP ? "it is a symbolic link" : SystemError().reason
            throw StoreError.cannotOpen(path: lockPath, reason: reason)
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw StoreError.cannotOpen(path: lockPath, reason: "it is not a regular file")
        }
        // A lock of one's own alone: another name of some file must not give that away.
        let isOwn = status.st_uid == geteuid() && status.st_nlink == 1 && status.st_size == 0
        if isOwn { cache?.give(to: descriptor) }
        return descriptor
    }
}
