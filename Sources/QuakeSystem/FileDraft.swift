import CQuakes
import Glibc

/// The new content of a file, until it takes the place of the old one. A draft that is dropped before is removed.
///
/// Where the file system has files without a name, it gets one only right before the end, so that a killed program
/// leaves nothing. A draft that others open by its name is locked: a second program gets ``SystemError`` EWOULDBLOCK.
package final class FileDraft {
    package let descriptor: Int32
    /// Where it is, once it has a name.
    package let name: String
    private var hasName: Bool
    private let path: String
    private let access: FileAccess?

    /// - Parameters:
    ///   - file: the file whose place it takes.
    ///   - access: what the file gets with its place, and its owner before; nil for that of a new file.
    ///   - newMode: the mode of a new file, from which the mask of the process takes its part away.
    ///   - suffix: what its name adds to the file's; nil if nobody opens it by its name.
    package init(
        of file: ReplacedFile, like access: FileAccess?, newMode: UInt32 = 0o644, namedWith suffix: String? = nil
    ) throws(ReplacedFile.Failure) {
        path = file.path
        self.access = access
        name = path + (suffix ?? ".\(getpid()).tmp")
        // O_TMPFILE, a macro that Swift does not see.
        let flags = O_RDWR | 0o20_000_000 | O_DIRECTORY | O_CLOEXEC
        // Until it is renamed into place, only its owner can write it, whatever its final mode. Who may read the file
        // may see whether a draft is still locked, and remove it if a program that was killed has left it.
        let first = access.map { 0o600 | $0.mode & 0o044 } ?? newMode
        var nameless = suffix == nil ? open(FileLocation.folder(of: path), flags, first) : -1
        // Without /proc it could not get a name.
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
        // Nothing has this name any more where it was renamed.
        if hasName { unlink(name) }
        close(descriptor)
    }

    /// Creates and locks a file. One that a program that was killed has left is removed, never written to: it may be
    /// another name of a file that is complete.
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

    /// Locks the file that `number` has open. Throws EWOULDBLOCK if another program has the draft: holds its lock, or
    /// has replaced it before this one was locked. A file system without locks has no such program.
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

    /// Puts it on the disk, then in the place of the file. When this returns, both are on the disk.
    ///
    /// - Parameter replacing: whether a file that is there is replaced; otherwise the call fails with EEXIST.
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

/// Renames a file to a name that nothing has.
enum FreeName {
    /// Returns whether the file at the first path has the name that the second one is; false with errno set.
    typealias Way = @Sendable (String, String) -> Bool

    /// The ways to do it, best first: NFS knows only the second, some disks under FUSE neither of the first two.
    static let ways: [Way] = [
        { renameat2(AT_FDCWD, $0, AT_FDCWD, $1, renameNoReplace) == 0 },
        { link($0, $1) == 0 && unlink($0) == 0 },
        { name, path in
            // The name may come into use right after this: then that file is replaced.
            guard access(path, F_OK) != 0 else {
                errno = EEXIST
                return false
            }
            return rename(name, path) == 0
        },
    ]

    /// Renames `name` to `path` in the first way that the file system has. Throws EEXIST if something has the name.
    static func take(_ path: String, for name: String, by ways: [Way] = ways) throws(SystemError) {
        for way in ways {
            if way(name, path) { return }
            guard [EINVAL, ENOSYS, EPERM, EOPNOTSUPP, EMLINK].contains(errno) else { break }
        }
        throw SystemError()
    }
}
