import Glibc
package import QuakeSystem

/// The locks of a cache, each on an empty file beside it. SQLite's own lock is not used, because it would have to be
/// held while waiting for a slow server or a command. A refresh needs only SQLite's lock during its transaction
/// (decision 0213).
///
/// The lock files are beside the cache's actual file, after following symbolic links. A cache with several hard links
/// is never written to (``CacheFile``). Anyone who may read a cache can delay its backfills and readers.
package enum CacheLock {
    /// Runs `body` while holding the backfill lock of the cache at `path`. The lock prevents two backfills, or a
    /// backfill and a restore, from running at the same time; SQLite's locks cannot, because a backfill consists of
    /// many transactions.
    ///
    /// - Throws: ``StoreError/backfilling(path:)`` if another process holds the lock,
    ///   ``StoreError/cannotOpen(path:reason:)`` if the lock file cannot be opened, created or locked, and the errors
    ///   of `body`.
    /// - Parameter lock: tries to lock a descriptor, and returns 0 or an error number.
    package static func hold<Result>(
        cacheAt path: String, lock: (Int32) -> Int32 = { flock($0, LOCK_EX | LOCK_NB) == 0 ? 0 : errno },
        _ body: () throws -> Result
    ) throws -> Result {
        let file = file(CacheFiles.backfillLock, ofCacheAt: path)
        // ``isHeld(cacheAt:)`` locks the file briefly, which must not be mistaken for another backfill.
        guard let held = try take(file, patience: .milliseconds(100), lock: lock) else {
            throw StoreError.backfilling(path: path)
        }
        defer { held.release() }
        return try body()
    }

    /// Whether a backfill or restore of the cache at `path` is running; false if the system cannot determine it.
    package static func isHeld(cacheAt path: String) -> Bool { file(CacheFiles.backfillLock, ofCacheAt: path).isHeld }

    /// Returns the file that a reader of the cache at `path` locks while it reads as the consumer `name`. The file's
    /// name contains a hash, because the consumer's name may contain slashes.
    package static func file(ofConsumer name: String, cacheAt path: String) -> LockFile {
        // The 64-bit FNV-1a hash.
        let hash = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        let digits = String(hash, radix: 16)
        return file(CacheFiles.readerLock + String(repeating: "0", count: 16 - digits.count) + digits, ofCacheAt: path)
    }

    /// Takes the lock on `file`; nil if another process holds it for longer than `patience`.
    ///
    /// - Throws: ``StoreError/diskFull(path:)`` or ``StoreError/cannotOpen(path:reason:)`` if the file cannot be
    ///   opened, created or locked.
    package static func take(
        _ file: LockFile, patience: Duration = .zero,
        lock: (Int32) -> Int32 = { flock($0, LOCK_EX | LOCK_NB) == 0 ? 0 : errno }
    ) throws(StoreError) -> HeldLock? {
        do {
            return try file.take(patience: patience, lock: lock)
        } catch {
            throw [ENOSPC, EDQUOT].contains(error.code)
                ? .diskFull(path: file.path) : .cannotOpen(path: file.path, reason: error.reason)
        }
    }

    private static func file(_ suffix: String, ofCacheAt path: String) -> LockFile {
        let location = FileLocation.resolved(path)
        return LockFile(
            at: location + suffix, like: FileAccess(of: location), newMode: CacheFile(path: location).newMode)
    }
}
