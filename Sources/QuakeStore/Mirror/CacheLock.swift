import Glibc
import QuakeSystem

/// Keeps two refreshes of one cache from running at the same time, two backfills, and a restore beside any of them. A
/// refresh may run beside a backfill: each of their documents is a transaction of its own.
///
/// Locks in files beside the cache, because SQLite's own lock would have to be held while a server is slow: advisory
/// (flock), ended with the process, not for files on a network. They lie beside the file that symbolic links lead to; a
/// file with several names (hard links) is not written at all (``CacheFile``, decision 0004).
package enum CacheLock {
    /// What the lock is held for.
    package enum Mode {
        case refresh
        case backfill
        /// Neither a refresh nor a backfill runs meanwhile.
        case restore
    }

    /// Runs `body` holding the lock for the cache at `path`, after waiting up to `patience` for another holder. While
    /// it waits it calls `whileWaiting` several times a second, which may throw to end the waiting.
    ///
    /// - Throws: ``StoreError/refreshing(path:)`` or ``StoreError/backfilling(path:)`` when another one still runs then,
    ///   ``StoreError/cannotLock(path:reason:)`` when the system cannot lock the file beside the cache,
    ///   ``StoreError/cannotOpen(path:reason:)`` when that file cannot be created, and what `body` throws.
    /// - Parameter lock: tries to lock a descriptor, and returns 0 or an error number.
    package static func hold<Result>(
        cacheAt path: String, for mode: Mode = .refresh, patience: Duration = .zero,
        whileWaiting: () throws -> Void = {},
        lock: (Int32) -> Int32 = { flock($0, LOCK_EX | LOCK_NB) == 0 ? 0 : errno }, _ body: () throws -> Result
    ) throws -> Result {
        if mode == .restore {
            return try hold(cacheAt: path, for: .refresh) { try hold(cacheAt: path, for: .backfill, body) }
        }
        let location = FileLocation.resolved(path)
        let lockPath = lockPath(ofCacheAt: location, mode)
        let descriptor = try openLock(lockPath, ofCacheAt: location)
        defer { close(descriptor) }
        let clock = ContinuousClock()
        let start = clock.now
        // ``isHeld(cacheAt:for:)`` locks the file for a moment; that must not look like another backfill.
        let moment = mode == .backfill ? Duration.milliseconds(100) : .zero
        while true {
            switch lock(descriptor) {
            case 0:
                // Closing alone would not do: a child that this process has just forked holds a copy until it runs its
                // program, and with it the lock.
                defer { flock(descriptor, LOCK_UN) }
                return try body()
            case EINTR: continue
            case EWOULDBLOCK:
                let waited = clock.now - start
                guard waited < max(patience, moment) else {
                    throw mode == .refresh ? StoreError.refreshing(path: path) : StoreError.backfilling(path: path)
                }
                if waited < patience { try whileWaiting() }
                usleep(50_000)
            case let error: throw StoreError.cannotLock(path: lockPath, reason: SystemError(error).reason)
            }
        }
    }

    /// Whether the lock for the cache at `path` is held. False if the system cannot tell.
    package static func isHeld(cacheAt path: String, for mode: Mode) -> Bool {
        let descriptor = open(lockPath(ofCacheAt: FileLocation.resolved(path), mode), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        // A shared lock, so that two callers do not mistake each other for a holder.
        guard flock(descriptor, LOCK_SH | LOCK_NB) == 0 else { return errno == EWOULDBLOCK }
        flock(descriptor, LOCK_UN)
        return false
    }

    private static func lockPath(ofCacheAt location: String, _ mode: Mode) -> String {
        location + (mode == .refresh ? ".lock" : ".backfill-lock")
    }

    /// Opens the file, and creates it with the mode of the cache: whoever may write the cache may lock it.
    ///
    /// Several users may refresh a cache in a folder that they share, whatever the umask of the first one: the owner of
    /// the lock gives it the mode of the cache at each refresh, and for another user it is enough to read it, which
    /// flock allows. Whoever may read a cache may therefore hold up its refreshes.
    private static func openLock(_ lockPath: String, ofCacheAt path: String) throws -> Int32 {
        var cache = stat()
        // Not by a descriptor: closing it would release the locks that SQLite holds in this process.
        let mode = stat(path, &cache) == 0 ? cache.st_mode & 0o666 : nil
        let flags = O_CLOEXEC | O_NOFOLLOW
        var descriptor = open(lockPath, O_RDWR | O_CREAT | flags, mode ?? NewCacheFile(path: path).mode)
        if descriptor < 0, errno == EACCES { descriptor = open(lockPath, O_RDONLY | flags) }
        guard descriptor >= 0 else {
            let reason = errno == ELOOP ? "it is a symbolic link" : SystemError().reason
            throw StoreError.cannotOpen(path: lockPath, reason: reason)
        }
        var lock = stat()
        if let mode, fstat(descriptor, &lock) == 0, lock.st_mode & 0o777 != mode { fchmod(descriptor, mode) }
        return descriptor
    }
}
