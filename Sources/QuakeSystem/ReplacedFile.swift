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
            (self.path, code, self.isInPlace) = (path, error.code, isInPlace)
            let warning = isInPlace ? "it was replaced, but the change may not survive a power failure: " : ""
            reason = warning + error.reason
        }

        fileprivate init(_ path: String, _ reason: String) {
            (self.path, self.reason, code, isInPlace) = (path, reason, nil, false)
        }
    }

    /// The path with symbolic links resolved, so that no link is replaced. The file need not exist.
    package let path: String

    package init(_ path: String) { self.path = FileLocation.resolved(path) }

    /// Throws if ``write(_:)`` could not replace the file because its folder is not writable, the disk is full, the
    /// file is not a regular one, or it belongs to another user in a folder such as /tmp. Does not change the file.
    package func requireReplaceable() throws(Failure) {
        let draft = try FileDraft(of: self, like: requireOwnRegularFile())
        // Reserves space for a small file, such as a token.
        let code = posix_fallocate(draft.descriptor, 0, 4096)
        guard code == 0 || code == EOPNOTSUPP || code == EINVAL else { throw Failure(path, SystemError(code)) }
        try draft.giveName()
    }

    /// Replaces the file with what `body` writes to the descriptor, and waits until it is on the disk.
    package func write(_ body: (Int32) throws(SystemError) -> Void) throws(Failure) {
        let draft = try FileDraft(of: self, like: requireOwnRegularFile())
        do {
            try body(draft.descriptor)
        } catch {
            throw Failure(path, error)
        }
        try draft.takePlace(replacing: true)
    }

    /// Returns the permissions and owner of the existing file; nil if there is none. Throws if it cannot be replaced.
    private func requireOwnRegularFile() throws(Failure) -> FileAccess? {
        guard let present = FileLocation.status(of: path) else { return nil }
        guard present.st_mode & S_IFMT == S_IFREG else { throw Failure(path, "it is not a regular file") }
        let user = geteuid()
        let folder = FileLocation.status(of: FileLocation.folder(of: path))
        let isSticky = folder.map { $0.st_mode & S_ISVTX != 0 } ?? false
        guard user == 0 || present.st_uid == user || folder?.st_uid == user || !isSticky else {
            throw Failure(path, SystemError(EPERM))
        }
        return FileAccess(present)
    }
}
