import CQuakes
import Glibc

/// A file's new content before it replaces the old content. A draft that is dropped unused is removed.
///
/// Where the file system supports nameless files, a draft that nobody opens by name gets its name only at the end, so
/// that a killed program leaves nothing behind. Any other draft is locked, so that a second program fails with
/// ``SystemError`` EWOULDBLOCK.
package final class FileDraft {
    package let descriptor: Int32
    /// The draft's path, once it has a name.
    package let name: String
    private var hasName: Bool
    private let path: String
    private let access: FileAccess?

    /// - Parameters:
    ///   - file: the file to replace.
    ///   - access: the permissions and owner of the finished file; nil for a new file.
    ///   - newMode: the mode of a new file, to which the process's umask still applies.
    ///   - suffix: the suffix that distinguishes the draft's name; nil if nobody opens the draft by name.
    package init(
        of file: ReplacedFile, like access: FileAccess?, newMode: UInt32 = 0o644, namedWith suffix: String? = nil
    ) throws(ReplacedFile.Failure) {
        path = file.path
        self.access = access
        name = path + (suffix ?? ".\(getpid()).tmp")
        // 0o20_000_000 is O_TMPFILE, a macro that Swift cannot import.
        let flags = O_RDWR | 0o20_000_000 | O_DIRECTORY | O_CLOEXEC
        // Until the draft is renamed into place, only its owner can write to it, whatever its final mode. Users who may
        // read the file may check whether a draft is still locked, and remove it if a killed program has left it.
        let first = access.map { 0o600 | $0.mode & 0o044 } ?? newMode
        var nameless = suffix == nil ? open(FileLocation.folder(of: path), flags, first) : -1
        // Without /proc, a nameless file could not be named later.
        if nameless >= 0, Glibc.access(Self.link(to: nameless), F_OK) != 0 {
            close(nameless)
            nameless = -1
        }
        hasName = nameless < 0
        do throws(SystemError) {
            descriptor = hasName ? try Self.created(at: name, mode: first) : nameless
        } catch {
            let isInTheWay = error.code == EACCES && hasName && FileLocation.isTaken(name)
            throw ReplacedFile.Failure(isInTheWay ? name : path, error)
        }
        access?.giveOwner(to: descriptor)
    }

    deinit {
        // After a rename, no file has this name anymore.
        if hasName { unlink(name) }
        close(descriptor)
    }

    /// Creates and locks a file. A file left behind by a killed program is removed, never written to, because it may be
    /// another name of a complete file.
    private static func created(at name: String, mode: mode_t) throws(SystemError) -> Int32 {
        let left = open(name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard left >= 0 || errno == ENOENT else { throw SystemError() }
        if left >= 0 {
            defer { close(left) }
            try lock(left, at: name)
            unlink(name)
        }
        let number = open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
        guard number >= 0 else { throw SystemError() }
        do throws(SystemError) { try lock(number, at: name) } catch {
            close(number)
            throw error
        }
        return number
    }

    /// Locks the open file `number`. Throws EWOULDBLOCK if another program already holds the lock or has replaced the
    /// file. Does nothing on a file system without locks.
    private static func lock(_ number: Int32, at name: String) throws(SystemError) {
        guard flock(number, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else { throw SystemError() }
        var (opened, present) = (stat(), stat())
        guard fstat(number, &opened) == 0, lstat(name, &present) == 0, opened.st_ino == present.st_ino,
            opened.st_dev == present.st_dev
        else { throw SystemError(EWOULDBLOCK) }
    }

    private static func link(to descriptor: Int32) -> String { "/proc/self/fd/\(descriptor)" }

    func giveName() throws(ReplacedFile.Failure) {
        guard !hasName else { return }
        unlink(name)
        let isDone = linkat(AT_FDCWD, Self.link(to: descriptor), AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0
        guard isDone else { throw failure() }
        hasName = true
    }

    /// Flushes the draft to disk and moves it into place. Returns once the content and the new name are on disk.
    ///
    /// - Parameter replacing: whether to replace an existing file instead of failing with EEXIST.
    package func takePlace(replacing: Bool) throws(ReplacedFile.Failure) {
        if let access, !access.give(to: descriptor) { throw failure() }
        guard fsync(descriptor) == 0 else { throw failure() }
        try giveName()
        if replacing {
            guard rename(name, path) == 0 else { throw failure() }
        } else {
            do throws(SystemError) { try FreeName.take(path, for: name) } catch {
                throw ReplacedFile.Failure(path, error)
            }
        }
        hasName = false
        let folder = open(FileLocation.folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }
        defer { close(folder) }
        guard fsync(folder) == 0 || errno == EINVAL else {
            throw ReplacedFile.Failure(path, SystemError(), isInPlace: true)
        }
    }

    private func failure() -> ReplacedFile.Failure { ReplacedFile.Failure(path, SystemError()) }
}

/// Renames a file to an unused name.
enum FreeName {
    /// A function that renames the file at the first path to the second. It returns false, with errno set, if that
    /// fails.
    typealias Way = @Sendable (String, String) -> Bool

    /// The ways to rename, best first: NFS supports only the second, some FUSE file systems only the third.
    static let ways: [Way] = [
        { renameat2(AT_FDCWD, $0, AT_FDCWD, $1, renameNoReplace) == 0 },
        { link($0, $1) == 0 && unlink($0) == 0 },
        { name, path in
            // A file created under this name right after the check would be replaced.
            guard access(path, F_OK) != 0 else {
                errno = EEXIST
                return false
            }
            return rename(name, path) == 0
        },
    ]

    /// Renames `name` to `path` in the first way that the file system supports. Throws EEXIST if `path` is taken.
    static func take(_ path: String, for name: String, by ways: [Way] = ways) throws(SystemError) {
        for way in ways {
            if way(name, path) { return }
            guard [EINVAL, ENOSYS, EPERM, EOPNOTSUPP, EMLINK].contains(errno) else { break }
        }
        throw SystemError()
    }
}
