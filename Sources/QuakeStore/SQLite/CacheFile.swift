import FoundationEssentials
import Glibc
import QuakeSystem

/// The file at a cache's path, looked at before SQLite opens it, which would wait forever for the other end of a pipe,
/// apply any log beside the file, and empty the log of another program's database.
struct CacheFile {
    let path: String
    /// Where the path leads to: SQLite names the log after that.
    var location: String { FileLocation.resolved(path) }
    /// The path for SQLite, which would take one that begins with `file:` for a URI.
    var plainName: String { path.hasPrefix("file:") ? "./" + path : path }

    /// How a connection is to open the file.
    enum Opening: Equatable {
        /// The connection may write the file and its log.
        case shared
        /// The user may not write the file, and reads its log through the index beside it, where it has one.
        case readOnly
        /// Nobody can write the file, and it has no log.
        case immutable
    }

    /// Finds out how to open the file for `access`.
    ///
    /// - Throws: ``StoreError/noCache(path:)``, ``StoreError/readOnly(path:)`` or
    ///   ``StoreError/cannotOpen(path:reason:)``.
    func opening(for access: StoreConfiguration.Access) throws -> Opening {
        // In a folder that is shared anybody may have put a link there, which SQLite would follow.
        let location = location
        for companion in CacheFiles.companions.map({ location + $0 }) where FileLocation.isLink(companion) {
            throw StoreError.cannotOpen(path: companion, reason: "it is a symbolic link")
        }
        var status = stat()
        guard stat(path, &status) == 0 else {
            guard errno == ENOENT else { throw cannotOpen(SystemError().reason) }
            guard access == .creating else { throw StoreError.noCache(path: path) }
            return .shared
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw cannotOpen("it is a directory")
        default: throw cannotOpen("it is not a regular file")
        }
        guard faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) == 0 else { throw cannotOpen(SystemError().reason) }
        // SQLite names the log after the path, so that writers under two names would not see each other's commits.
        guard access == .reading || status.st_nlink < 2 else {
            throw cannotOpen(
                "it has \(status.st_nlink) names (hard links), and each would have its own write-ahead log")
        }
        guard !isWritable else { return .shared }
        // SQLite would open it all the same, and refuse only the first write.
        guard access == .reading else { throw StoreError.readOnly(path: path) }
        return !hasLog && isOnReadOnlyMedium ? .immutable : .readOnly
    }

    /// Throws ``StoreError/notACache(path:)`` for a database of another program that has a log,
    /// and ``StoreError/foreignLog(path:)`` for a cache with the log of another state.
    ///
    /// A file without a log, and one in which a first creation was interrupted, are left to ``Schema``.
    ///
    /// - Parameter header: reads the header of the file without its log. Not through a descriptor of its own: closing
    ///   one would release every lock that SQLite holds on the file in this process (POSIX).
    func requireOwnDatabase(header: () -> WriteAheadLog.FileHeader?) throws {
        guard let first = header() else { return }
        guard first.applicationID == Schema.applicationID || !first.usesLog else {
            throw StoreError.notACache(path: path)
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

    /// Whether there is no file, or one without a byte, as a creation that was killed leaves.
    var isEmpty: Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return errno == ENOENT }
        return status.st_mode & S_IFMT == S_IFREG && status.st_size == 0
    }

    private var hasLog: Bool { faccessat(AT_FDCWD, location + "-wal", F_OK, AT_EACCESS) == 0 }

    /// Whether the log and its index are there, which a user who may not write cannot create.
    var logIsReadable: Bool {
        ["-wal", "-shm"].allSatisfy { faccessat(AT_FDCWD, location + $0, R_OK, AT_EACCESS) == 0 }
    }

    /// Whether the file system itself is read-only, and of this machine. Of a read-only mount another mount may be
    /// written, and what a server offers, by other machines.
    private var isOnReadOnlyMedium: Bool {
        var status = stat()
        guard stat(path, &status) == 0,
            let mounts = try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8)
        else { return false }
        let number = UInt64(status.st_dev)
        let (major, minor) = (number >> 8 & 0xFFF, number & 0xFF | number >> 12 & 0xFFF00)
        return mounts.split(separator: "\n").contains { line in
            // The third field is the device; the last three are the type, the source and the options of the file system.
            let fields = line.split(separator: " ")
            guard fields.count > 6, fields[2] == "\(major):\(minor)" else { return false }
            let (type, source) = (fields[fields.count - 3], fields[fields.count - 2])
            return (source.hasPrefix("/dev/") || type == "tmpfs")
                && fields[fields.count - 1].split(separator: ",").contains("ro")
        }
    }

    private func mayWrite(_ path: String) -> Bool { faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0 }

    /// Whether the log and its index stay when the last connection closes: users who may read the file and not write it
    /// need both, and cannot create them (decision 0121).
    var keepsLogFiles: Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        return [(S_IRGRP, S_IWGRP), (S_IROTH, S_IWOTH)].contains { read, write in
            status.st_mode & read != 0 && status.st_mode & write == 0
        }
    }

    func createFolder() throws {
        let folder = FileLocation.folder(of: path)
        guard !FileManager.default.fileExists(atPath: folder) else { return }
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw cannotOpen("the folder \(folder) cannot be created")
        }
    }

    private func cannotOpen(_ reason: String) -> StoreError { .cannotOpen(path: path, reason: reason) }
}

/// Creates the file of a cache, empty, before SQLite does: SQLite would let every user read which addresses its owner
/// asks. The folder decides who may use a cache: where nobody else may create files, its owner alone (0600), otherwise
/// the group or everyone. The umask still applies, and a file that exists keeps its mode.
struct NewCacheFile {
    /// Where the file is to be, without links: a link that leads nowhere would be in the way.
    let path: String

    /// Creates the file unless it exists. A failure is left to SQLite, which says what is wrong.
    func create() {
        var status = stat()
        guard stat(path, &status) != 0 else { return }
        // Only a new file may be closed here: closing another one would release SQLite's locks on it.
        let number = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        if number >= 0 { close(number) }
    }

    /// The mode that the folder asks for. In a folder such as /tmp everyone may create files, but not share them.
    var mode: mode_t {
        var status = stat()
        guard stat(FileLocation.folder(of: path), &status) == 0, status.st_mode & S_ISVTX == 0 else { return 0o600 }
        let group: mode_t = status.st_mode & S_IWGRP != 0 ? 0o060 : 0
        let others: mode_t = status.st_mode & S_IWOTH != 0 ? 0o006 : 0
        return 0o600 | group | others
    }
}

/// Which file a path leads to: its device and its number there. A file that takes the place of another has another one.
struct FileIdentity: Equatable {
    private let device: dev_t
    private let node: ino_t

    /// The file at `path`, where links lead to; nil when there is none.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        (device, node) = (status.st_dev, status.st_ino)
    }
}
