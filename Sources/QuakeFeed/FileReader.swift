import Glibc
import Synchronization

/// Reads documents from files, and can begin before it is asked.
///
/// Need: parsing a command line and opening a cache take as long together as scanning a month's feed, and neither needs the
/// other. What counts is what the file holds when it is asked for. Price: a thread.
public final class FileReader: Sendable {
    private typealias Begun = DeferredValue<(file: LeasedFile, document: FeedDocument)?>

    private let limit: Int
    private let begun = Mutex<[String: Begun]>([:])

    /// A reader of files of at most `limit` bytes.
    public init(limit: Int = HTTPRequest.defaultBodyLimit) {
        self.limit = limit
    }

    /// Begins to read the file at `path`, unless that has begun already or it can only be read at once.
    public func begin(_ path: String) {
        let limit = limit
        begun.withLock { begun in
            guard begun[path] == nil else { return }
            begun[path] = Begun { LeasedFile(path, limit: limit).map { ($0, $0.document) } }
        }
    }

    /// Drops what has begun of the file at `path`, under whatever name: whoever opens it for writing would have to wait for us.
    public func forget(_ path: String) {
        guard let file = FileReader.identity(of: path) else { return }
        let dropped = begun.withLock { begun in
            begun.keys.filter { FileReader.identity(of: $0) == file }.compactMap { begun.removeValue(forKey: $0) }
        }
        for reading in dropped { _ = reading.wait() }
    }

    /// Device and number, which a file keeps under all its names.
    private static func identity(of path: String) -> [UInt]? {
        var status = stat()
        return stat(path, &status) == 0 ? [status.st_dev, status.st_ino] : nil
    }

    /// The whole of the file at `path`, as it is now.
    public func contents(of path: String) throws(FeedError) -> FeedDocument {
        let reading = begun.withLock { $0.removeValue(forKey: path) }
        // Somebody may have waited for the file since it was begun; then he has been let in, or soon will be.
        if let (file, document) = reading?.wait(), file.isIntact { return document }
        return try FileContents.read(path: path, limit: limit)
    }

    /// Everything that comes on standard input until its end.
    public func contentsOfStandardInput() throws(FeedError) -> FeedDocument {
        try FileContents.read(path: nil, limit: limit)
    }
}
