import Glibc

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

    /// The target of a symbolic link, so that the link stays; the path itself if there is no file yet.
    private let path: String

    /// The file at `path`, which need not exist.
    init(_ path: String) {
        guard let resolved = realpath(path, nil) else {
            self.path = path
            return
        }
        defer { free(resolved) }
        self.path = String(cString: resolved)
    }

    /// Throws if ``write(_:)`` cannot replace the file: its folder is not writable, it is not a regular file, or it
    /// belongs to another user in a folder such as /tmp. Does not change the file.
    func requireReplaceable() throws(Failure) {
        let (descriptor, temporary) = try draft()
        close(descriptor)
        unlink(temporary)
    }

    /// Replaces the file with what `body` writes, and waits until it is on the disk.
    func write(_ body: (ByteWriter) -> Void) throws {
        let (descriptor, temporary) = try draft()
        let writer = ByteWriter(descriptor: descriptor)
        body(writer)
        do {
            try writer.flush()
        } catch {
            close(descriptor)
            unlink(temporary)
            throw error
        }
        let isSafe = fsync(descriptor) == 0
        guard close(descriptor) == 0, isSafe, rename(temporary, path) == 0 else {
            let failure = Failure(path, errno: errno)
            unlink(temporary)
            throw failure
        }
    }

    /// Creates an empty file beside this one, open for writing. Removes what an aborted run has left there.
    private func draft() throws(Failure) -> (descriptor: Int32, path: String) {
        try requireOwnRegularFile()
        let temporary = "\(path).\(getpid()).tmp"
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Failure(path, errno: errno) }
        return (descriptor, temporary)
    }

    private func requireOwnRegularFile() throws(Failure) {
        var present = stat()
        guard stat(path, &present) == 0 else { return }
        guard present.st_mode & S_IFMT == S_IFREG else { throw Failure(path, "it is not a regular file") }
        var folder = stat()
        let user = geteuid()
        let isSticky = stat(folderPath, &folder) == 0 && folder.st_mode & S_ISVTX != 0
        guard user == 0 || present.st_uid == user || folder.st_uid == user || !isSticky else {
            throw Failure(path, errno: EPERM)
        }
    }

    private var folderPath: String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
