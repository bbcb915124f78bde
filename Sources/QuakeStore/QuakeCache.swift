public import QuakeModel

/// A local copy of the earthquake feeds in one SQLite file, with every change it ever saw.
///
/// The value itself is a path and settings; a ``QuakeContext`` opens the file. Contexts of any number of threads and
/// processes may use one file at the same time: one writes, all others read what was committed before.
public struct QuakeCache: Sendable {
    /// Where the file is.
    public let path: String
    /// How the file is opened.
    public let configuration: StoreConfiguration

    /// The cache in the file at `path`. Nothing is opened yet.
    public init(path: String, configuration: StoreConfiguration = StoreConfiguration()) {
        self.path = path
        self.configuration = configuration
    }

    /// Opens the file. `author` is recorded with every transaction of the context. A file that is created can be read
    /// by its owner alone, or by those who share its folder (decision 0072).
    ///
    /// - Throws: ``StoreError`` when there is no cache, the file is something else, or a newer version made it.
    public func context(
        author: String = "library", access: StoreConfiguration.Access = .writing
    ) throws -> QuakeContext {
        try QuakeContext(
            cache: self, author: author,
            connection: Database(path: path, access: access, configuration: configuration))
    }
}

/// How a cache is opened.
public struct StoreConfiguration: Sendable {
    /// What a context may do with the file.
    public enum Access: Sendable {
        /// Read an existing cache.
        case reading
        /// Read and write an existing cache.
        case writing
        /// Read and write; create the file and its folder where there is none.
        case creating
    }

    /// How long to wait for another process that is writing.
    public var busyTimeout: Duration
    /// Name and version recorded with every transaction.
    public var program: String
    /// The clock that dates transactions and consumers, and from which the age of a quake is measured.
    public var now: @Sendable () -> Timestamp

    /// A configuration; the defaults suit a command-line program.
    public init(
        busyTimeout: Duration = .seconds(10), program: String = "QuakeStore",
        now: @escaping @Sendable () -> Timestamp = { Timestamp.now }
    ) {
        self.busyTimeout = busyTimeout
        self.program = program
        self.now = now
    }
}
