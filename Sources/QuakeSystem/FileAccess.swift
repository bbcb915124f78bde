import Glibc

/// Who may use a file: its permissions, its owner and its group. Files that belong to it, and one that takes its place,
/// get the same.
package struct FileAccess: Sendable {
    package let mode: UInt32
    private let owner: UInt32
    private let group: UInt32

    init(mode: UInt32, owner: UInt32 = geteuid(), group: UInt32 = getegid()) {
        (self.mode, self.owner, self.group) = (mode, owner, group)
    }

    init(_ status: stat) { self.init(mode: status.st_mode & 0o777, owner: status.st_uid, group: status.st_gid) }

    /// Who may use the file at `path`; nil if there is none. No descriptor is opened: closing one would release the
    /// locks that SQLite holds on the file in this process.
    package init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Gives it to the file that `descriptor` has open, as far as this user may. Returns whether that has the mode now.
    @discardableResult
    package func give(to descriptor: Int32) -> Bool {
        giveOwner(to: descriptor)
        // Some file systems have no modes of their own, and refuse every other one.
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & 0o777 == mode || fchmod(descriptor, mode) == 0
    }

    /// Only root can give a file away, and must, as SQLite does with its log: the owner could not open it otherwise.
    /// Others keep the group, if they are members of it.
    func giveOwner(to descriptor: Int32) {
        fchown(descriptor, geteuid() == 0 ? owner : uid_t.max, group)
    }
}
