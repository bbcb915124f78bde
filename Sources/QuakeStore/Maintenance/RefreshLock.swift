import Glibc

/// Keeps two refreshes of one cache from running at the same time.
///
/// A lock of its own in a file beside the cache, because SQLite's lock would have to be held while a server is slow. It
/// is advisory (flock), goes with the process however that ends, and is not meant for files on a network.
public enum RefreshLock {
    /// Runs `body` holding the lock for the cache at `path`, after waiting up to `patience` for another holder.
    ///
    /// - Throws: ``StoreError/refreshing(path:)`` when it is still held then, ``StoreError/cannotOpen(path:reason:)`` when the
    ///   file beside the cache cannot be made, and what `body` throws.
    public static func hold<Result>(
        cacheAt path: String, patience: Duration = .zero, _ body: () throws -> Result
    ) throws -> Result {
        let lockPath = path + ".lock"
        let descriptor = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw StoreError.cannotOpen(path: lockPath, reason: String(cString: strerror(errno)))
        }
        defer { close(descriptor) }
        let clock = ContinuousClock()
        let end = clock.now + patience
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR, clock.now < end else {
                throw StoreError.refreshing(path: path)
            }
            usleep(50_000)
        }
        return try body()
    }
}
