import Glibc

/// Which file a path leads to: its device and its number there. A file that takes the place of another has another one.
struct FileIdentity: Equatable {
    private let device: dev_t
    private let node: ino_t

    /// The file at `path`, where links lead to; nil when there is none.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        (device, node) = (status.st_dev, status.st_ino)
    }
}
