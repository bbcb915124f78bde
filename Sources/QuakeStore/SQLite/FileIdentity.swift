import Glibc
import QuakeSystem

/// The identity of a file: its device and inode number. A file that replaces another has a different identity.
struct FileIdentity: Equatable {
    private let device: dev_t
    private let node: ino_t

    /// Creates the identity of the file at `path`, following links; nil if there is none.
    init?(_ path: String) {
        guard let status = FileLocation.status(of: path) else { return nil }
        device = status.st_dev
        node = status.st_ino
    }

    /// Whether both paths lead to the same existing file or folder.
    static func areSameFile(_ left: String, _ right: String) -> Bool {
        FileIdentity(left).map { $0 == FileIdentity(right) } ?? false
    }
}
