import FoundationEssentials
import Glibc
import QuakeSystem

/// The file at a cache's path, examined before SQLite opens it. SQLite would wait forever on a pipe, apply any log
/// beside the file, and empty the log of another program's database.
struct CacheFile {
    /// `QKS1` in the file's header, which distinguishes a cache from another program's database.
    static let applicationID: Int64 = 0x514B_5331

    let path: String
    /// The path with links resolved. SQLite names the log after this path.
    var location: String { FileLocation.resolved(path) }

    /// The way a connection should open the file.
    enum Opening: Equatable {
        /// The connection may write to the file and its log.
        case shared
        /// The user may not write to the file, and reads its log, if any, through the index beside it.
        case readOnly
        /// Nobody can write to the file, and it has no log.
        case immutable
    }

    /// Determines how to open the file for `access`.
    ///
    /// - Throws: ``StoreError/noCache(path:)``, ``StoreError/readOnly(path:)`` or
    ///   ``StoreError/cannotOpen(path:reason:)``.
    func opening(for access: StoreConfiguration.Access) throws -> Opening {
        try requireOwnLink()
        // In a shared folder, another user may have put a link or a pipe in the place of the log, and SQLite would open
        // it.
        let location = location
        for companion in CacheFiles.companions.map({ location + $0 }) {
            guard let obstacle = FileLocation.obstacle(at: companion) else { continue }
            throw StoreError.cannotOpen(path: companion, reason: obstacle)
        }
        guard let status = FileLocation.status(of: path) else {
            guard errno == ENOENT else { throw cannotOpen(SystemError().reason) }
            guard access == .creating else { throw StoreError.noCache(path: path) }
            guard mayWrite(FileLocation.folder(of: location)) || errno != EACCES && errno != EROFS else {
                throw cannotOpen(
                    errno == EROFS
                        ? "it would be on a read-only file system"
                        : "you do not have permission to create a file in its folder")
            }
            return .shared
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw cannotOpen("it is a directory")
        default: throw cannotOpen("it is not a regular file")
        }
        guard faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) == 0 else { throw cannotOpen(SystemError().reason) }
        // SQLite names the log after the path, so writers under two names would not see each other's commits.
        guard access == .reading || status.st_nlink < 2 else {
            throw cannotOpen(
                "it has \(status.st_nlink) names (hard links), and each would have its own write-ahead log")
        }
        guard !isWritable else { return .shared }
        // SQLite would open the file anyway, and fail only at the first write.
        guard access == .reading else { throw StoreError.readOnly(path: path) }
        return !hasLog && isOnReadOnlyMedium ? .immutable : .readOnly
    }

    /// Throws ``StoreError/notACache(path:)`` for another program's database that uses a log, and
    /// ``StoreError/foreignLog(path:)`` for a cache whose log belongs to a different state.
    ///
    /// ``Schema`` checks files that use no log, such as one left by an interrupted creation.
    ///
    /// - Parameter header: reads the file's header, ignoring the log. This function must not open another descriptor,
    ///   because closing that descriptor would release all of this process's locks on the file (POSIX).
    func requireOwnDatabase(header: () -> WriteAheadLog.FileHeader?) throws {
        guard let first = header() else { return }
        guard first.applicationID == Self.applicationID || !first.usesLog else {
            throw StoreError.notACache(path: path)
        }
        // Another process may empty and restart the log between two reads.
        for _ in 0..<5 {
            guard let log = WriteAheadLog(ofDatabaseAt: location), let header = header(), !log.fits(header) else {
                return
            }
        }
        throw StoreError.foreignLog(path: location)
    }

    /// Whether SQLite can lock the file, and write to its log or create one.
    private var isWritable: Bool {
        let location = location
        return mayWrite(location)
            && (mayWrite(FileLocation.folder(of: location))
                || mayWrite(location + "-wal") && mayWrite(location + "-shm"))
    }

    /// Whether the file is missing or, as after an interrupted creation, empty.
    var isEmpty: Bool {
        guard let status = FileLocation.status(of: path) else { return errno == ENOENT }
        return status.st_mode & S_IFMT == S_IFREG && status.st_size == 0
    }

    private var hasLog: Bool { faccessat(AT_FDCWD, location + "-wal", F_OK, AT_EACCESS) == 0 }

    /// Whether the log and its index are readable. A user without write access cannot create them.
    var logIsReadable: Bool {
        ["-wal", "-shm"].allSatisfy { faccessat(AT_FDCWD, location + $0, R_OK, AT_EACCESS) == 0 }
    }

    /// Whether the file system itself is both read-only and local. A file on a read-only mount may still be written
    /// through another mount, and a network file by other machines.
    private var isOnReadOnlyMedium: Bool {
        guard let status = FileLocation.status(of: path),
            let mounts = try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8)
        else { return false }
        let number = UInt64(status.st_dev)
        let major = number >> 8 & 0xFFF
        let minor = number & 0xFF | number >> 12 & 0xFFF00
        return mounts.split(separator: "\n").contains { line in
            // The third field is the device; the last three are the file system's type, source and options.
            let fields = line.split(separator: " ")
            guard fields.count > 6, fields[2] == "\(major):\(minor)" else { return false }
            let type = fields[fields.count - 3]
            let source = fields[fields.count - 2]
            return (source.hasPrefix("/dev/") || type == "tmpfs")
                && fields[fields.count - 1].split(separator: ",").contains("ro")
        }
    }

    private func mayWrite(_ path: String) -> Bool { faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0 }

    /// Whether the log and its index stay when the last connection closes. Users who may read the file but not write to
    /// it need both, and cannot create them (decision 0121).
    var keepsLogFiles: Bool {
        guard let status = FileLocation.status(of: path) else { return false }
        return [(S_IRGRP, S_IWGRP), (S_IROTH, S_IWOTH)].contains { read, write in
            status.st_mode & read != 0 && status.st_mode & write == 0
        }
    }

    /// Creates an empty cache file before SQLite does, unless the file exists. Everyone could read a file that SQLite
    /// creates, and see which URLs its owner requests. Failures are ignored here, because SQLite then fails as well,
    /// and reports the cause.
    func create() {
        let location = location
        guard FileIdentity(location) == nil, !FileLocation.isForeignInSharedFolder(path) else { return }
        // Only a new file may be closed here: closing an existing one would release SQLite's locks on it.
        let number = open(location, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, newMode)
        if number >= 0 { close(number) }
    }

    /// The mode of a new file. The folder determines who may use the cache: only the owner (0600) if nobody else may
    /// create files there, otherwise also the group or everyone. In a sticky folder such as /tmp, users may create
    /// files, but not share them. The umask still applies, and an existing file keeps its mode.
    var newMode: mode_t {
        let status = FileLocation.status(of: FileLocation.folder(of: location))
        guard let status, status.st_mode & S_ISVTX == 0 else { return 0o600 }
        let group: mode_t = status.st_mode & S_IWGRP != 0 ? 0o060 : 0
        let others: mode_t = status.st_mode & S_IWOTH != 0 ? 0o006 : 0
        return 0o600 | group | others
    }

    /// Throws if the path is another user's link in a folder such as /tmp, or leads to a name that is not UTF-8.
    func requireOwnLink() throws {
        guard FileLocation.isLink(path) else { return }
        guard !FileLocation.isForeignInSharedFolder(path) else {
            throw cannotOpen("it is another user's symbolic link in a shared folder")
        }
        // The location is also a link if links lead in a circle.
        guard !FileLocation.isLink(location) || FileLocation.status(of: path) == nil && errno == ELOOP else {
            throw cannotOpen("it is a symbolic link to a name that is not UTF-8")
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
