import Glibc

/// The permissions, owner and group of a file, to be copied to its replacement and to files that accompany it.
package struct FileAccess: Sendable {
    package let mode: UInt32
    let owner: UInt32
    private let group: UInt32

    init(mode: UInt32, owner: UInt32 = geteuid(), group: UInt32 = getegid()) {
        self.mode = mode
        self.owner = owner
        self.group = group
    }

    init(_ status: stat) { self.init(mode: status.st_mode & 0o777, owner: status.st_uid, group: status.st_gid) }

    /// Reads the values of the file at `path`; nil if there is no file. Opens no descriptor, because closing one would
    /// release the locks that SQLite holds on the file in this process.
    package init?(of path: String) {
        guard let status = FileLocation.status(of: path) else { return nil }
        self.init(status)
    }

    /// Applies the values to the file behind `descriptor`, as far as possible. Returns whether the mode is right.
    @discardableResult
    package func apply(to descriptor: Int32) -> Bool {
        applyOwner(to: descriptor)
        // Some file systems have fixed permissions, and refuse to set any others.
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & 0o777 == mode || fchmod(descriptor, mode) == 0
    }

    /// Sets the owner and group. Only root can change the owner, and must do so, as SQLite does for its log; otherwise,
    /// the owner of the original could not open the file. Other users can set the group if they belong to it.
    func applyOwner(to descriptor: Int32) {
        fchown(descriptor, geteuid() == 0 ? owner : uid_t.max, group)
    }
}
