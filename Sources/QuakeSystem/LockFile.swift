import Glibc

/// An empty file that exists only to be locked (flock), so that only one process at a time performs a task.
///
/// The lock ends when the process that holds it ends, even if killed. Children that execute a program do not inherit
/// the lock. Releasing the lock removes the file; a killed holder leaves the file behind, and the next holder uses it.
/// The lock is advisory and does not work on network file systems.
package struct LockFile: Sendable {
    /// A lock file that cannot be opened, created or locked.
    package struct Failure: Error {
        package let code: Int32
        package let reason: String
    }

    package let path: String
    private let access: FileAccess?
    private let newMode: UInt32

    /// - Parameters:
    ///   - access: The permissions and owner of the file that the lock accompanies; nil if there is no such file.
    ///   - newMode: The mode of a new lock file without `access`, to which the process's umask still applies.
    package init(at path: String, like access: FileAccess?, newMode: UInt32) {
        self.path = path
        self.access = access
        self.newMode = newMode
    }

    /// Takes the lock, and returns nil if it is held for longer than `patience`.
    ///
    /// - Parameter lock: tries to lock a descriptor, and returns 0 or an error number.
    package func take(
        patience: Duration = .zero, lock: (Int32) -> Int32 = { flock($0, LOCK_EX | LOCK_NB) == 0 ? 0 : errno }
    ) throws(Failure) -> HeldLock? {
        let start = ContinuousClock.now
        while true {
            let descriptor = try opened()
            let code = lock(descriptor)
            if code == 0 {
                let held = HeldLock(descriptor, path: path)
                // The last holder may have removed the file after it was opened here.
                if held.isInPlace {
                    held.recordTime()
                    return held
                }
                continue
            }
            close(descriptor)
            switch code {
            case EINTR: continue
            case EWOULDBLOCK:
                guard ContinuousClock.now - start < patience else { return nil }
                usleep(50_000)
            default: throw Failure(code: code, reason: "it cannot be locked (\(SystemError(code).reason))")
            }
        }
    }

    /// Whether the lock is held; false if the system cannot determine it.
    package var isHeld: Bool {
        guard FileLocation.obstacle(at: path) == nil else { return false }
        let descriptor = open(path, O_RDONLY | Self.flags)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        // Take a shared lock, so that two callers do not mistake each other for the holder.
        guard flock(descriptor, LOCK_SH | LOCK_NB) == 0 else { return errno == EWOULDBLOCK }
        flock(descriptor, LOCK_UN)
        return false
    }

    /// The names and ids of the holders, such as `quakes (4711)`; empty if there are none, or if the system does not
    /// list them.
    package var holders: [String] { LockHolders.names(ofLockAt: path) }

    /// How long ago the lock was taken; nil if there is no lock file.
    package var age: Duration? {
        FileLocation.status(of: path).map { .seconds(max(0, time(nil) - $0.st_mtim.tv_sec)) }
    }

    /// Flags for opening the file without following a link or waiting on a pipe that someone has just put there.
    private static let flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY

    /// Opens the file, creating it for the users of the file that it accompanies.
    ///
    /// Several users may share that file in a common folder, whatever the first user's umask. So the owner of the lock
    /// file copies that file's permissions to it each time. Other users need only read access for flock.
    private func opened() throws(Failure) -> Int32 {
        if let obstacle = FileLocation.obstacle(at: path) { throw Failure(code: EINVAL, reason: obstacle) }
        var descriptor = open(path, O_RDWR | O_CREAT | Self.flags, access?.mode ?? newMode)
        if descriptor < 0, errno == EACCES { descriptor = open(path, O_RDONLY | Self.flags) }
        guard descriptor >= 0 else { throw Failure(code: errno, reason: SystemError().reason) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw Failure(code: EINVAL, reason: "it is not a regular file")
        }
        // Change only the permissions of the user's own lock file, never those of another file to which it is a link.
        if status.isOnlyLock, status.st_uid == geteuid() { access?.apply(to: descriptor) }
        return descriptor
    }
}
