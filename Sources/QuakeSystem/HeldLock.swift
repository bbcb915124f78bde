import Glibc

/// A lock that this process holds until it is released or dropped.
package final class HeldLock {
    private var descriptor: Int32
    private let path: String

    init(_ descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { release() }

    package func release() {
        guard descriptor >= 0 else { return }
        if isInPlace, isOnlyLock { unlink(path) }
        // Closing is not enough: a child that this process has just forked holds a copy of the descriptor, and with it
        // the lock, until it executes its program.
        flock(descriptor, LOCK_UN)
        close(descriptor)
        descriptor = -1
    }

    /// Whether the locked file is still at its path.
    var isInPlace: Bool {
        var locked = stat()
        var present = stat()
        return fstat(descriptor, &locked) == 0 && lstat(path, &present) == 0 && locked.st_ino == present.st_ino
            && locked.st_dev == present.st_dev
    }

    /// Sets the file's modification time to now, when the lock was taken, because a killed holder may have left an old
    /// file.
    func recordTime() { if isOnlyLock { futimens(descriptor, nil) } }

    private var isOnlyLock: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.isOnlyLock
    }
}

extension stat {
    /// Whether this file can be nothing but a lock: it is empty and has one name.
    var isOnlyLock: Bool { st_nlink == 1 && st_size == 0 }
}
