import Glibc

/// The permissions, owner and group of a file, which its companions and any file that replaces it also get.
package struct FileAccess: Sendable {
    package let mode: UInt32
    private let owner: UInt32
    private let group: UInt32

    init(mode: UInt32, owner: UInt32 = geteuid(), group: UInt32 = getegid()) {
        (self.mode, self.owner, self.group) = (mode, owner, group)
    }

    init(_ status: stat) { self.init(mode: status.st_mode & 0o777, owner: status.st_uid, group: status.st_gid) }

    /// The access to the file at `path`; nil if there is no file. Opens no descriptor, because closing it would release
    /// the locks that SQLite holds on the file in this process.
    package init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Gives this access to the file behind `descriptor`, as far as possible. Returns whether it now has the mode.
    @discardableResult
    package func give(to descriptor: Int32) -> Bool {
        giveOwner(to: descriptor)
        // Some file systems have a fixed mode, and refuse to set any other.
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & 0o777 == mode || fchmod(descriptor, mode) == 0
    }

    /// Only root can give a file away, and must, as SQLite does with its log: otherwise the owner could not open it.
    /// Other users keep the group if they are members of it.
    func giveOwner(to descriptor: Int32) {
        fchown(descriptor, geteuid() == 0 ? owner : uid_t.max, group)
    }
}
