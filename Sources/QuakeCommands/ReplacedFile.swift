import Glibc
import QuakeOutput
import QuakeStore

/// A file that is replaced in one step: the new content is written beside it and then takes its name. A reader sees the
/// old content or the new one, and after a failure the old one is still there.
struct ReplacedFile {
    /// Why the file cannot be replaced.
    struct Failure: Error {
        let path: String
        let reason: String

        fileprivate init(_ path: String, errno code: Int32) {
            self.init(path, SystemError.words(code))
        }

        fileprivate init(_ path: String, _ reason: String) {
            (self.path, self.reason) = (path, reason)
        }
    }

    /// Where symbolic links lead to, so that they stay links. There need not be a file yet.
    private let path: String

    /// The file at `path`, which need not exist.
    init(_ path: String) {
        self.path = FileLocation.resolved(path)
    }

    /// Throws if ``write(_:)`` cannot replace the file: its folder is not writable, the disk is full, it is not a
    /// regular file, or it belongs to another user in a folder such as /tmp. Does not change the file.
    func requireReplaceable() throws(Failure) {
        let draft = try Draft(of: self)
        defer { draft.discard() }
        // Room for a small file, such as a token.
        let code = posix_fallocate(draft.descriptor, 0, 4096)
        guard code == 0 || code == EOPNOTSUPP || code == EINVAL else { throw Failure(path, errno: code) }
        try draft.giveName()
    }

    /// Replaces the file with what `body` writes, and waits until it is on the disk.
    func write(_ body: (ByteWriter) throws(OutputError) -> Void) throws(Failure) {
        let draft = try Draft(of: self)
        defer { draft.discard() }
        let writer = ByteWriter(descriptor: draft.descriptor)
        do throws(OutputError) {
            try body(writer)
            try writer.flush()
        } catch {
            guard case .writeFailed(let code) = error else { throw Failure(path, errno: EIO) }
            throw Failure(path, errno: code)
        }
        guard fsync(draft.descriptor) == 0 else { throw Failure(path, errno: errno) }
        try draft.giveName()
        guard rename(draft.name, path) == 0 else { throw Failure(path, errno: errno) }
    }

    /// The new content, in a file without a name, so that a program that is killed leaves nothing behind. It gets a
    /// name only right before it takes that of the old one. On a file system without such files it has the name from
    /// the beginning.
    private struct Draft {
        let descriptor: Int32
        let name: String
        private let hasName: Bool
        private let path: String

        init(of file: ReplacedFile) throws(Failure) {
            let old = try file.requireOwnRegularFile()
            path = file.path
            name = "\(file.path).\(getpid()).tmp"
            unlink(name)
            let mode = old ?? 0o644
            // O_TMPFILE, a macro that Swift does not see.
            let nameless = open(file.folderPath, O_WRONLY | 0o20_000_000 | O_DIRECTORY | O_CLOEXEC, mode)
            hasName = nameless < 0
            descriptor =
                hasName ? open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode) : nameless
            guard descriptor >= 0 else { throw Failure(file.path, errno: errno) }
            // The mask of the process does not apply to a file that has its mode already.
            if let old { fchmod(descriptor, old) }
        }

        func giveName() throws(Failure) {
            guard !hasName else { return }
            let isDone = linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0
            guard isDone else { throw Failure(path, errno: errno) }
        }

        /// Removes what was not renamed.
        func discard() {
            // Nothing has this name any more where the file was replaced.
            unlink(name)
            close(descriptor)
        }
    }

    /// Returns the mode of the file that is there.
    private func requireOwnRegularFile() throws(Failure) -> mode_t? {
        var present = stat()
        guard stat(path, &present) == 0 else { return nil }
        guard present.st_mode & S_IFMT == S_IFREG else { throw Failure(path, "it is not a regular file") }
        var folder = stat()
        let user = geteuid()
        let isSticky = stat(folderPath, &folder) == 0 && folder.st_mode & S_ISVTX != 0
        guard user == 0 || present.st_uid == user || folder.st_uid == user || !isSticky else {
            throw Failure(path, errno: EPERM)
        }
        return present.st_mode & 0o777
    }

    private var folderPath: String { FileLocation.folder(of: path) }
}
