import CQuakes
import Glibc

/// A file's new content before it replaces the old content. A draft that is dropped unused is removed.
///
/// Where the file system supports unnamed files (`O_TMPFILE`), a draft gets its name only at the end, so that nothing
/// can be in its way and a killed program leaves nothing behind. Elsewhere, the draft has a name and is locked, so that
/// a second program fails with ``SystemError`` EWOULDBLOCK.
package final class FileDraft {
    package let descriptor: Int32
    /// The draft's name; nil as long as it has none.
    private(set) var name: String?
    private let path: String
    private let access: FileAccess?

    /// The path at which this process can open the draft.
    package var openPath: String { "/proc/self/fd/\(descriptor)" }

    /// - Parameters:
    ///   - file: the file to replace.
    ///   - access: the permissions and owner of the finished file; nil for a new file.
    ///   - newMode: the mode of a new file, to which the process's umask still applies.
    ///   - suffix: the suffix of the draft's name on a file system without unnamed files, by which a later program
    ///     finds the draft of a killed program; nil for a random name.
    ///   - prefersNameless: whether to use an unnamed file if possible.
    package init(
        of file: ReplacedFile, like access: FileAccess?, newMode: UInt32 = 0o644, namedWith suffix: String? = nil,
        prefersNameless: Bool = true
    ) throws(ReplacedFile.Failure) {
        path = file.path
        self.access = access
        let folder = FileLocation.folder(of: file.path)
        // 0o20_000_000 is O_TMPFILE, a macro that Swift cannot import.
        let flags = O_RDWR | 0o20_000_000 | O_DIRECTORY | O_CLOEXEC
        // If the draft will get the mode of another file, only the draft's owner can write to it until then.
        let first = access.map { 0o600 | $0.mode & 0o044 } ?? newMode
        var nameless = prefersNameless ? open(folder, flags, first) : -1
        // Without /proc, an unnamed file could not be named later.
        if nameless >= 0, Glibc.access("/proc/self/fd/\(nameless)", F_OK) != 0 {
            close(nameless)
            nameless = -1
        }
        if nameless >= 0 {
            descriptor = nameless
            name = nil
        } else {
            let name = suffix.map { file.path + $0 } ?? Self.freeName(beside: file.path)
            self.name = name
            do throws(SystemError) {
                descriptor = try Self.created(at: name, mode: first, owner: access?.owner)
            } catch {
                throw ReplacedFile.Failure(error.code == EEXIST ? name : file.path, error)
            }
        }
        access?.applyOwner(to: descriptor)
    }

    deinit {
        // The name is nil once the draft has taken the file's place.
        if let name { unlink(name) }
        close(descriptor)
    }

    /// A name that no file has, because it contains a random number.
    private static func freeName(beside path: String) -> String {
        "\(path).\(String(UInt64.random(in: 0 ... .max), radix: 36)).tmp"
    }

    /// Creates and locks a file. Throws EEXIST if anything but a leftover of this program has the name.
    private static func created(at name: String, mode: mode_t, owner: UInt32?) throws(SystemError) -> Int32 {
        try removeLeftover(at: name, of: owner)
        let number = open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
        guard number >= 0 else { throw SystemError() }
        do throws(SystemError) { try lock(number, at: name) } catch {
            close(number)
            throw error
        }
        return number
    }

    /// Removes a draft that a killed program of this user has left. The draft is never written to, because it may be
    /// another name of a complete file. Anything but a regular file is not even opened: opening a pipe could wait
    /// forever, and opening a device could have any effect.
    ///
    /// - Parameter owner: the future owner of the draft, if root writes it.
    private static func removeLeftover(at name: String, of owner: UInt32?) throws(SystemError) {
        var left = stat()
        guard lstat(name, &left) == 0 else { return }
        let isOwn = left.st_uid == geteuid() || geteuid() == 0 && left.st_uid == owner
        guard left.st_mode & S_IFMT == S_IFREG, isOwn else { throw SystemError(EEXIST) }
        let number = open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard number >= 0 else { throw SystemError() }
        defer { close(number) }
        try lock(number, at: name)
        unlink(name)
    }

    /// Locks the open file `number`. Throws EWOULDBLOCK if another program already holds the lock or has replaced the
    /// file. Does nothing on a file system without locks.
    private static func lock(_ number: Int32, at name: String) throws(SystemError) {
        guard flock(number, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else { throw SystemError() }
        var opened = stat()
        var present = stat()
        guard fstat(number, &opened) == 0, lstat(name, &present) == 0, opened.st_ino == present.st_ino,
            opened.st_dev == present.st_dev
        else { throw SystemError(EWOULDBLOCK) }
    }

    /// Gives the draft a name of its own, which it loses when it takes the file's place.
    func giveName() throws(ReplacedFile.Failure) {
        guard name == nil else { return }
        let free = Self.freeName(beside: path)
        try takeName(free)
        name = free
    }

    private func takeName(_ name: String) throws(ReplacedFile.Failure) {
        guard linkat(AT_FDCWD, openPath, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0 else { throw failure() }
    }

    /// Flushes the draft to disk and moves it into place. Returns once the content and the new name are on disk.
    ///
    /// - Parameter replacing: whether to replace an existing file instead of failing with EEXIST.
    package func moveIntoPlace(replacing: Bool) throws(ReplacedFile.Failure) {
        if let access, !access.apply(to: descriptor) { throw failure() }
        guard fsync(descriptor) == 0 else { throw failure() }
        if replacing { try giveName() }
        switch name {
        case nil: try takeName(path)
        case let name? where replacing: guard rename(name, path) == 0 else { throw failure() }
        case let name?:
            do throws(SystemError) { try FreeName.take(path, for: name) } catch {
                throw ReplacedFile.Failure(path, error)
            }
        }
        name = nil
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
