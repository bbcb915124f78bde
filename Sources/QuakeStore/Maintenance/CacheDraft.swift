import CQuakesSQLite
import Glibc
import QuakeSystem

/// A copy of a cache while it is made, beside the file whose place it takes. One that is dropped leaves nothing.
final class CacheDraft {
    private let file: FileDraft
    /// The path as it was given, for messages.
    private let name: String
    /// The file that was copied, for errors: damage in the copy comes from it.
    private var source: String?

    /// An empty draft, which nobody else may have open.
    ///
    /// - Parameters:
    ///   - path: the file whose place it takes.
    ///   - name: what to call that file in errors.
    ///   - suffix: what the draft's name adds to the file's.
    ///   - cache: the cache whose owner and mode it gets; nil for those of a new cache.
    init(at path: String, named name: String, suffix: String, like cache: String?) throws {
        self.name = name
        do throws(ReplacedFile.Failure) {
            file = try FileDraft(
                of: ReplacedFile(path), like: cache.flatMap { FileAccess(of: $0) },
                newMode: NewCacheFile(path: path).mode,
                namedWith: suffix)
        } catch {
            // The draft of another user may be in the way.
            let name = error.path == path ? name : error.path
            throw error.code == EWOULDBLOCK ? StoreError.busy(path: path + suffix) : CacheDraft.error(error, name)
        }
        removeCompanions()
    }

    deinit { removeCompanions() }

    /// What SQLite left beside the draft when it, or a program that was killed, opened it.
    private func removeCompanions() {
        for suffix in CacheFiles.companions { unlink(file.name + suffix) }
    }

    /// Copies the state that the transaction of `source` sees, as a file that needs no log to be read: even by a user
    /// who may not write it (decision 0121).
    func fill(from source: Database) throws {
        self.source = source.path
        try renamingErrors {
            let target = try Database(draftAt: file.name)
            try PageCopy(from: source, to: target).finish()
        }
        // The versions in SQLite's header: 2 is a file with a log, 1 is one without.
        guard pwrite(file.descriptor, [1, 1] as [UInt8], 2, 18) == 2 else {
            throw StoreError.cannotOpen(path: name, reason: SystemError().reason)
        }
    }

    func open() throws -> QuakeContext {
        try renamingErrors { try QuakeCache(path: file.name).context(access: .reading) }
    }

    /// Runs `body` with a context that writes the draft, outside any transaction.
    func edit<Result>(_ body: (QuakeContext) throws -> Result) throws -> Result {
        try renamingErrors {
            let database = try Database(draftAt: file.name)
            return try body(QuakeContext(cache: QuakeCache(path: file.name), author: "", connection: database))
        }
    }

    /// Gives the draft its place and returns its size.
    func takePlace(replacing: Bool) throws -> Int64 {
        do throws(ReplacedFile.Failure) {
            try file.takePlace(replacing: replacing)
        } catch {
            throw error.code == EEXIST ? StoreError.fileExists(path: name) : CacheDraft.error(error, name)
        }
        var status = stat()
        return fstat(file.descriptor, &status) == 0 ? Int64(status.st_size) : 0
    }

    /// A user knows the file that is to be made and the one that is copied, not the draft.
    private func renamingErrors<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch StoreError.diskFull {
            throw StoreError.diskFull(path: name)
        } catch StoreError.corrupt(file.name, let reason) {
            throw StoreError.corrupt(path: source ?? name, reason: reason)
        }
    }

    private static func error(_ error: ReplacedFile.Failure, _ name: String) -> StoreError {
        switch error.code {
        case let code? where error.isInPlace: .inputOutput(path: name, code: code, reason: error.reason)
        case ENOSPC, EDQUOT: .diskFull(path: name)
        default: .cannotOpen(path: name, reason: error.reason)
        }
    }
}

/// A copy of every page of one database into another, as one transaction there.
final class PageCopy {
    private let handle: OpaquePointer
    private let target: Database
    private let source: Database
    private var isOpen = true

    init(from source: Database, to target: Database) throws {
        guard let handle = sqlite3_backup_init(target.handle, "main", source.handle, "main") else {
            throw StoreError(code: sqlite3_errcode(target.handle), connection: target.handle, path: target.path)
        }
        (self.handle, self.source, self.target) = (handle, source, target)
    }

    deinit {
        if isOpen { sqlite3_backup_finish(handle) }
    }

    /// Keeps every other writer out of the target until the copy is finished. The source may still change.
    func holdTarget() throws { try target.check(sqlite3_backup_step(handle, 0)) }

    func finish() throws {
        let step = sqlite3_backup_step(handle, -1)
        isOpen = false
        let end = sqlite3_backup_finish(handle)
        try target.check(step == SQLITE_DONE ? end : step)
    }
}
