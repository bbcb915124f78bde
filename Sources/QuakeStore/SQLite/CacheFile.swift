import FoundationEssentials
import Glibc
import QuakeModel

/// The file at a cache's path, looked at before SQLite opens it.
///
/// SQLite would wait for ever for the other end of a pipe, apply any log that lies beside the file, and empty the log
/// of another program's database.
struct CacheFile {
    let path: String
    /// Where the path leads to: SQLite names the log after that.
    private var location: String { FileLocation.resolved(path) }

    /// How a connection is to open the file.
    enum Opening: Equatable {
        /// As it is; the connection may write the file and its log.
        case shared
        /// As it is, by a user who may not write it: the log and its index are there to be read.
        case readOnly
        /// A copy of it, because the user may not write the file, and there is no log to share with a writer.
        case privateCopy
    }

    /// Finds out how to open the file for `access`.
    ///
    /// - Throws: ``StoreError/noCache(path:)`` or ``StoreError/cannotOpen(path:reason:)``.
    func opening(for access: StoreConfiguration.Access) throws -> Opening {
        var status = stat()
        guard stat(path, &status) == 0 else {
            guard errno == ENOENT else { throw cannotOpen(systemMessage()) }
            guard access == .creating else { throw StoreError.noCache(path: path) }
            return .shared
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw cannotOpen("it is a directory")
        default: throw cannotOpen("it is not a regular file")
        }
        guard faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) == 0 else { throw cannotOpen(systemMessage()) }
        // SQLite names the log after the path, so that writers under two names would not see each other's commits.
        guard access == .reading || status.st_nlink < 2 else {
            throw cannotOpen("it has \(status.st_nlink) names (hard links), and each would have a log of its own")
        }
        guard access == .reading, !isWritable else { return .shared }
        return logIsReadable ? .readOnly : .privateCopy
    }

    /// Throws ``StoreError/notACache(path:)`` for a database of another program that has a log,
    /// ``StoreError/otherSchema(path:found:supported:)`` for a cache of an older version, and
    /// ``StoreError/foreignLog(path:)`` for a cache with the log of another state.
    ///
    /// A file without a log, and one in which a first creation was interrupted, are left to ``Schema``.
    ///
    /// - Parameter header: reads the header of the file without its log. Not through a descriptor of its own: closing
    ///   one would release every lock that SQLite holds on the file in this process (POSIX).
    func requireOwnDatabase(header: () -> WriteAheadLog.FileHeader?) throws {
        guard let first = header() else { return }
        if first.applicationID != Schema.applicationID {
            if first.usesLog { throw StoreError.notACache(path: path) }
        } else if first.version < Schema.version {
            throw StoreError.otherSchema(path: path, found: first.version, supported: Schema.version)
        }
        // Another process may empty the log, and start it again, between two reads.
        for _ in 0..<5 {
            guard let log = WriteAheadLog(ofDatabaseAt: location), let header = header(), !log.fits(header) else {
                return
            }
        }
        throw StoreError.foreignLog(path: location)
    }

    /// Whether SQLite can lock the file, and write its log or create one.
    private var isWritable: Bool {
        let location = location
        return mayWrite(location)
            && (mayWrite(FileLocation.folder(of: location))
                || mayWrite(location + "-wal") && mayWrite(location + "-shm"))
    }

    private var logIsReadable: Bool {
        ["-wal", "-shm"].allSatisfy { faccessat(AT_FDCWD, location + $0, R_OK, AT_EACCESS) == 0 }
    }

    private func mayWrite(_ path: String) -> Bool {
        faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0
    }

    /// Whether the log and its index stay when the last connection closes: users who may read the file and not write it
    /// need both, and cannot create them (decision 0082). Who only reads leaves it as it was.
    func keepsLogFiles(for access: StoreConfiguration.Access) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0, access != .reading || logIsReadable else { return false }
        return [(S_IRGRP, S_IWGRP), (S_IROTH, S_IWOTH)].contains { read, write in
            status.st_mode & read != 0 && status.st_mode & write == 0
        }
    }

    private var folder: String { FileLocation.folder(of: path) }

    /// Creates the folder of the file where there is none.
    func createFolder() throws {
        guard !FileManager.default.fileExists(atPath: folder) else { return }
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw cannotOpen("the folder \(folder) cannot be created")
        }
    }

    private func cannotOpen(_ reason: String) -> StoreError {
        .cannotOpen(path: path, reason: reason)
    }
}

// MARK: Private copies

extension CacheFile {
    /// Calls `body` with the path of a copy of the file and its log, in a folder that is removed afterwards. What
    /// `body` opened stays open.
    ///
    /// Need: a reader who may not write the file, and finds no log beside it, has nothing to agree through with a
    /// writer. Hazard: one that begins meanwhile. Choice: copy until nothing changed between the beginning and the end
    /// of a copy. Price: the space and the time of a copy, and a state that stays as it is.
    func withPrivateCopy<Result>(_ body: (CacheFile) throws -> Result) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "quakes-\(getpid())-\(UUID())").path
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        } catch {
            throw cannotOpen("a copy in \(folder) cannot be created")
        }
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let copy = folder + "/quakes.db"
        for _ in 0..<20 {
            let before = state
            try copyFile(path, to: copy)
            if before.log != nil { try copyFile(location + "-wal", to: copy + "-wal") }
            if state == before { return try body(CacheFile(path: copy)) }
        }
        throw StoreError.busy(path: path)
    }

    /// What changes when a writer changes pages of the file, or starts the log anew. Commits that only add to the log
    /// leave it as it is: SQLite ignores an incomplete one at the end of a copy.
    struct State: Equatable {
        fileprivate var file: [Int]
        fileprivate var log: [UInt8]?
    }

    /// The state of the file and its log now.
    var state: State {
        var status = stat()
        let file =
            stat(path, &status) == 0
            ? [Int(status.st_ino), Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec] : []
        return State(file: file, log: WriteAheadLog.logHeader(ofDatabaseAt: location))
    }

    private func copyFile(_ source: String, to target: String) throws {
        try? FileManager.default.removeItem(atPath: target)
        do {
            try FileManager.default.copyItem(atPath: source, toPath: target)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: target)
        } catch {
            // A log may be gone by now; the states differ then.
            guard source == path else { return }
            throw cannotOpen("it cannot be copied to \(target), as a user must who may not write it")
        }
    }
}

/// The system's words for the last error of a call.
private func systemMessage() -> String { String(cString: strerror(errno)) }
