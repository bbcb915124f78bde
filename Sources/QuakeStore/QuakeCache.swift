/// A local copy of the earthquake feeds in one SQLite file, with every change it ever saw.
///
/// The value itself is a path and settings; a ``QuakeContext`` opens the file. Contexts of any number of threads and
/// processes may use one file at the same time: one writes, all others read what was committed before.
public struct QuakeCache: Sendable {
    public let path: String
    /// How the file is opened.
    public let configuration: StoreConfiguration
    /// For ``read(_:)`` and ``write(author:_:)``.
    let workers: CacheWorkers
    /// Where the file is, for a cache in memory.
    private let memory: MemoryFolder?

    /// The cache in the file at `path`. Nothing is opened yet.
    public init(path: String, configuration: StoreConfiguration = StoreConfiguration()) {
        self.init(path: path, configuration: configuration, memory: nil)
    }

    private init(path: String, configuration: StoreConfiguration, memory: MemoryFolder?) {
        (self.path, self.configuration, self.memory) = (path, configuration, memory)
        workers = CacheWorkers(maximumReaderCount: configuration.maximumReaderCount)
    }

    /// A new, empty cache in memory, which can do all that others can. Its contexts, and copies of the value, share it;
    /// it is gone with the last of them.
    ///
    /// - Throws: ``StoreError/cannotOpen(path:reason:)`` where the system has no room for it.
    public static func inMemory(configuration: StoreConfiguration = StoreConfiguration()) throws -> QuakeCache {
        let folder = try MemoryFolder()
        let cache = QuakeCache(path: folder.path + "/quakes.db", configuration: configuration, memory: folder)
        _ = try cache.context(access: .creating)
        return cache
    }

    /// The same cache for a worker of this one, whose context must not keep its own worker alive.
    var withOwnWorkers: QuakeCache { QuakeCache(path: path, configuration: configuration, memory: memory) }

    /// Opens the file. `author` is recorded with every transaction of the context. A file that is created can be read
    /// by its owner alone, or by those who share its folder.
    ///
    /// - Throws: ``StoreError`` when there is no cache, the file is something else, or a newer version made it, and for
    ///   a path that names no file, such as one with U+0000 or `:memory:`: see ``inMemory(configuration:)``.
    public func context(
        author: String = "library", access: StoreConfiguration.Access = .writing
    ) throws -> QuakeContext {
        try Self.requireFilePath(path)
        return try QuakeContext(
            cache: self, author: author,
            connection: Database(path: path, access: access, configuration: configuration))
    }

    /// Throws for a path that names no file, or that contains U+0000, where the system would cut it off.
    static func requireFilePath(_ path: String) throws(StoreError) {
        guard path.isEmpty || path == ":memory:" || path.hasZeroByte else { return }
        throw .cannotOpen(path: path, reason: "it is not the path of a file")
    }
}

/// How a cache is opened.
public struct StoreConfiguration: Sendable {
    /// What a context may do with the file.
    public enum Access: Sendable {
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
    /// How many calls of ``QuakeCache/read(_:)`` run at the same time, each on a thread and a connection of its own.
    /// The others wait in order. At least 1.
    public var maximumReaderCount = 5

    /// A configuration; the defaults suit a command-line program.
    public init(
        busyTimeout: Duration = .seconds(10), program: String = "QuakeStore",
        now: @escaping @Sendable () -> Timestamp = { Timestamp.now }
    ) {
        (self.busyTimeout, self.program, self.now) = (busyTimeout, program, now)
    }
}
