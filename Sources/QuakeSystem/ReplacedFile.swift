import Glibc

/// A file that is replaced atomically: the new content is written beside it and then takes over its name. Readers see
/// the old content or the new, and after a failure the old content is still there.
package struct ReplacedFile: Sendable {
    /// The reason why the file cannot be replaced.
    package struct Failure: Error {
        package let path: String
        package let reason: String
        /// The system's error number; nil if no system call failed.
        package let code: Int32?
        /// Whether the new file is in place, although a power failure may still undo that.
        package let isInPlace: Bool

        package init(_ path: String, _ error: SystemError, isInPlace: Bool = false) {
            self.path = path
            code = error.code
            self.isInPlace = isInPlace
            let warning = isInPlace ? "it was replaced, but the change may not survive a power failure: " : ""
            reason = warning + error.reason
        }

        fileprivate init(_ path: String, _ reason: String) {
            self.path = path
            self.reason = reason
            code = nil
            isInPlace = false
        }
    }

    /// The path, which must not name a symbolic link, except to a pipe, a terminal or a device: in a folder such as
    /// /tmp, another user's link could lead anywhere. The file need not exist.
    package let path: String

    package init(_ path: String) { self.path = path }

    /// Throws if ``write(_:)`` could not replace the file because its folder is not writable, the disk is full, the
    /// file is not a regular one, or it belongs to another user in a folder such as /tmp. Does not change the file.
    package func requireReplaceable() throws(Failure) {
        let draft = try FileDraft(of: self, like: requireOwnRegularFile())
        // Reserves space for a small file, such as a token.
        let code = posix_fallocate(draft.descriptor, 0, 4096)
        guard code == 0 || code == EOPNOTSUPP || code == EINVAL else { throw Failure(path, SystemError(code)) }
        try draft.giveName()
    }

    /// Replaces the file with what `body` writes to the descriptor, and waits until it is on the disk. If the path
    /// leads to a pipe, a terminal or a device, such as /dev/stdout, `body` writes there.
    package func write(_ body: (Int32) throws(SystemError) -> Void) throws(Failure) {
        let content = try begin()
        do throws(SystemError) { try body(content.descriptor) } catch { throw Failure(path, error) }
        try content.moveIntoPlace()
    }

    /// Begins to write new content, which ``NewContent/moveIntoPlace(replacing:)`` moves into the file's place.
    package func begin() throws(Failure) -> NewContent {
        if let stream = try openStream() { return NewContent(stream: stream) }
        return NewContent(try FileDraft(of: self, like: requireOwnRegularFile()))
    }

    /// Opens the pipe, terminal or device that the path leads to. Returns nil for any other path.
    private func openStream() throws(Failure) -> Int32? {
        guard let target = FileLocation.status(of: path), [S_IFIFO, S_IFCHR].contains(target.st_mode & S_IFMT) else {
            return nil
        }
        guard !FileLocation.isForeignInSharedFolder(path) else { throw Failure(path, "another user put it there") }
        // Without O_NONBLOCK, opening a pipe that nobody reads would wait for a reader.
        let number = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard number >= 0 else {
            throw errno == ENXIO ? Failure(path, "nothing reads from it") : Failure(path, SystemError())
        }
        guard fcntl(number, F_SETFL, fcntl(number, F_GETFL) & ~O_NONBLOCK) == 0 else {
            let error = SystemError()
            close(number)
            throw Failure(path, error)
        }
        return number
    }

    /// Returns the permissions and owner of the existing file; nil if there is none. Throws if the file cannot be
    /// replaced.
    private func requireOwnRegularFile() throws(Failure) -> FileAccess? {
        if let obstacle = FileLocation.obstacle(at: path) { throw Failure(path, obstacle) }
        guard let present = FileLocation.status(of: path) else { return nil }
        let user = geteuid()
        let folder = FileLocation.status(of: FileLocation.folder(of: path))
        let isSticky = folder.map { $0.st_mode & S_ISVTX != 0 } ?? false
        guard user == 0 || present.st_uid == user || folder?.st_uid == user || !isSticky else {
            throw Failure(path, SystemError(EPERM))
        }
        return FileAccess(present)
    }
}
