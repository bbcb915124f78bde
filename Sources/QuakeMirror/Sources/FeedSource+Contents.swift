package import FoundationEssentials
import Glibc
import QuakeSystem

extension FeedSource {
    /// Whether the source is a file that can be read more than once, unlike a pipe. True for a missing file.
    package var isRegularFile: Bool {
        guard case .file(let path) = self, self != .standardInput else { return false }
        var status = stat()
        return stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
    }

    /// The largest file that is read, 1 GiB. A year of all quakes takes about 80 MB. Downloads are limited to 64 MiB.
    package static let maximumBytes = 1 << 30

    /// Returns the contents of a file or of standard input; nil for a source that must be downloaded.
    ///
    /// - Throws: ``FeedError`` if the source cannot be read or has more than `limit` bytes.
    package func contents(limit: Int = FeedSource.maximumBytes) throws(FeedError) -> Data? {
        switch self {
        case .summary, .url: return nil
        case .file where self == .standardInput:
            return try Self.read(STDIN_FILENO, name: SourceName.standardInput, limit: limit)
        case .file(let path):
            let number = open(path, O_RDONLY | O_CLOEXEC)
            guard number >= 0 else { throw .unreadable(path: path, reason: SystemError().reason) }
            defer { close(number) }
            return try Self.read(number, name: path, limit: limit)
        }
    }

    private static func read(_ number: Int32, name: String, limit: Int) throws(FeedError) -> Data {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw .unreadable(path: name, reason: SystemError().reason) }
        // One extra byte detects the end of the file without a larger buffer. A file in /proc reports a size of 0.
        let isSized = status.st_mode & S_IFMT == S_IFREG && status.st_size > 0
        var body = Data(count: min(isSized ? Int(status.st_size) : 64 << 10, limit) + 1)
        var count = 0
        while true {
            if count == body.count { body.count = min(2 * count, limit + 1) }
            let received = body.withUnsafeMutableBytes { bytes in
                Glibc.read(number, bytes.baseAddress?.advanced(by: count), bytes.count - count)
            }
            if received < 0, errno == EINTR { continue }
            guard received >= 0 else { throw .unreadable(path: name, reason: SystemError().reason) }
            if received == 0 {
                body.count = count
                return body
            }
            count += received
            guard count <= limit else { throw .document(.tooLarge(limit: limit), source: name) }
        }
    }
}
