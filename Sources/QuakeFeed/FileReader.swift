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
        var wanted = stat()
        guard stat(path, &wanted) == 0 else { return }
        let dropped = begun.withLock { begun in
            var status = stat()
            let same = begun.filter { name, _ in
                stat(name, &status) == 0 && status.st_dev == wanted.st_dev && status.st_ino == wanted.st_ino
            }
            begun = begun.filter { same[$0.key] == nil }
            return same.values
        }
        for reading in dropped { _ = reading.wait() }
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
