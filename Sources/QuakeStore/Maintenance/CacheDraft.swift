import Glibc
import QuakeSystem

/// A copy of a cache in preparation, beside the file it will replace. A discarded draft leaves nothing behind.
final class CacheDraft {
    private let file: FileDraft
    /// The path as the caller gave it, for messages.
    private let name: String
    /// The file that was copied, named in errors, because any damage in the copy comes from there.
    private var source: String?

    /// Creates an empty draft that no other program has open.
    ///
    /// - Parameters:
    ///   - path: the file to replace.
    ///   - name: the name of that file in error messages.
    ///   - suffix: the suffix of the draft's name, if it needs one: see `FileDraft`.
    ///   - cache: the cache whose owner and mode the draft receives; nil to use the owner and mode of a new cache.
    init(at path: String, named name: String, suffix: String, like cache: String?) throws {
        self.name = name
        do throws(ReplacedFile.Failure) {
            file = try FileDraft(
                of: ReplacedFile(path), like: cache.flatMap { FileAccess(of: $0) },
                newMode: CacheFile(path: path).newMode, namedWith: suffix)
        } catch {
            // If the draft's own name is the problem, name that file instead.
            let name = error.path == path ? name : error.path
            throw error.code == EWOULDBLOCK ? StoreError.busy(path: path + suffix) : CacheDraft.error(error, name)
        }
    }

    /// Copies the state visible to the transaction of `source` into a file without a log, which even users without
    /// write access can read (decision 0121).
    func fill(from source: Database) throws {
        self.source = source.path
        try renamingErrors {
            let target = try Database(draftAt: file.openPath)
            try PageCopy(from: source, to: target).finish()
        }
        // The version numbers in SQLite's header: 2 for a file with a log, 1 for a file without.
        guard pwrite(file.descriptor, [1, 1] as [UInt8], 2, 18) == 2 else {
            throw StoreError.cannotOpen(path: name, reason: SystemError().reason)
        }
    }

    /// Runs `body` outside any transaction, with a context that may write to the draft.
    func edit<Result>(_ body: (QuakeContext) throws -> Result) throws -> Result {
        try renamingErrors {
            let database = try Database(draftAt: file.openPath)
            return try body(QuakeContext(cache: QuakeCache(path: file.openPath), author: "", connection: database))
        }
    }

    /// Moves the draft into place and returns its size.
    func moveIntoPlace(replacing: Bool) throws -> Int64 {
        do throws(ReplacedFile.Failure) {
            try file.moveIntoPlace(replacing: replacing)
        } catch {
            throw error.code == EEXIST ? StoreError.fileExists(path: name) : CacheDraft.error(error, name)
        }
        var status = stat()
        return fstat(file.descriptor, &status) == 0 ? Int64(status.st_size) : 0
    }

    /// Runs `body` and makes its errors name the source or target file, which the user knows, instead of the draft.
    private func renamingErrors<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch StoreError.diskFull {
            throw StoreError.diskFull(path: name)
        } catch StoreError.inputOutput(file.openPath, let code, let reason) {
            throw StoreError.inputOutput(path: name, code: code, reason: reason)
        } catch StoreError.corrupt(file.openPath, let reason) {
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
