import Synchronization

/// Reads documents from files, and can begin before it is asked.
///
/// Need: parsing a command line and opening a cache take as long together as reading a month's feed, and neither needs the
/// other. What counts is what the file holds then. Price: a thread.
public final class FileReader: Sendable {
    private typealias Reading = DeferredValue<Result<FeedDocument, FeedError>>

    private let limit: Int
    private let begun = Mutex<[String: Reading]>([:])

    /// A reader of files of at most `limit` bytes.
    public init(limit: Int = HTTPRequest.defaultBodyLimit) {
        self.limit = limit
    }

    /// Begins to read the file at `path`, unless that has begun already or the file can be read only once.
    ///
    /// It must be no file that this process is going to open for writing: see ``LeasedFile``.
    public func begin(_ path: String) {
        guard !FileContents.isReadOnce(path) else { return }
        let limit = limit
        begun.withLock { begun in
            if begun[path] == nil { begun[path] = Reading { FileReader.read(path, limit) } }
        }
    }

    /// The whole of the file at `path`, read now or before.
    public func contents(of path: String) throws(FeedError) -> FeedDocument {
        let reading = begun.withLock { $0.removeValue(forKey: path) }
        return try (reading?.wait() ?? FileReader.read(path, limit)).get()
    }

    /// Everything that comes on standard input until its end.
    public func contentsOfStandardInput() throws(FeedError) -> FeedDocument {
        try FileContents.read(path: nil, limit: limit)
    }

    private static func read(_ path: String, _ limit: Int) -> Result<FeedDocument, FeedError> {
        do throws(FeedError) {
            return .success(try FileContents.read(path: path, limit: limit))
        } catch {
            return .failure(error)
        }
    }
}
