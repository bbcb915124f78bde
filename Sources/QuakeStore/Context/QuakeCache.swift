public import FoundationEssentials

// So that `import QuakeStore` also imports the types that its public declarations use.
@_exported public import QuakeModel

/// A local mirror of the earthquake feeds in one SQLite file, with its history of changes.
///
/// The value contains only a path and settings; a ``QuakeContext`` opens the file. Any number of threads and processes
/// may use the file at the same time: one can write while all others read the last committed state.
public struct QuakeCache: Sendable {
    public let path: String
    public let configuration: StoreConfiguration
    /// The workers for ``read(_:)``.
    let readers: WorkerPool
    /// The only worker for ``write(author:_:)``.
    let writers = WorkerPool(maximumCount: 1)
    /// The folder that contains the file of a cache in memory; nil for any other cache.
    let folder: MemoryFolder?

    /// Creates a value for the cache in the file at `path`, without opening the file.
    public init(path: String, configuration: StoreConfiguration = StoreConfiguration()) {
        self.init(path: path, configuration: configuration, folder: nil)
    }

    private init(path: String, configuration: StoreConfiguration, folder: MemoryFolder?) {
        self.path = path
        self.configuration = configuration
        self.folder = folder
        readers = WorkerPool(maximumCount: configuration.maximumReaderCount)
    }

    /// Creates a value for the cache in the file at `url`, a `file:` URL, without opening the file.
    public init(url: URL, configuration: StoreConfiguration = StoreConfiguration()) {
        self.init(path: url.isFileURL ? url.path : url.absoluteString, configuration: configuration)
    }

    /// Creates an empty cache in memory that supports everything a cache in a file does. The cache exists as long as
    /// any copy of this value or any context of the cache.
    ///
    /// - Throws: ``StoreError/cannotOpen(path:reason:)`` if the system has no room for the cache.
    public static func inMemory(configuration: StoreConfiguration = StoreConfiguration()) throws -> QuakeCache {
        let folder = try MemoryFolder()
        let cache = QuakeCache(path: folder.path + "/quakes.db", configuration: configuration, folder: folder)
        _ = try QuakeContext(cache, access: .creating)
        return cache
    }

    /// The same cache with new workers. A worker's context refers to this copy, so that the context does not keep the
    /// worker itself alive.
    var withOwnWorkers: QuakeCache { QuakeCache(path: path, configuration: configuration, folder: folder) }

    /// Throws ``StoreError/cannotOpen(path:reason:)`` if `path` cannot name a file, such as `:memory:`.
    static func requireFilePath(_ path: String) throws(StoreError) {
        guard let remedy = remedy(forPath: path) else { return }
        throw .cannotOpen(path: path, reason: "it is not the path of a file" + remedy)
    }

    /// Whether `path` can name a file.
    package static func isFilePath(_ path: String) -> Bool { remedy(forPath: path) == nil }

    /// Returns the advice to add to the error message if `path` cannot name a file, or an empty string if there is no
    /// advice; nil if `path` can name a file.
    private static func remedy(forPath path: String) -> String? {
        switch path {
        // The system would truncate a path at U+0000.
        case _ where path.isEmpty || path.hasZeroByte: ""
        case ":memory:": "; for a cache in memory, use QuakeCache.inMemory()"
        case _ where path.hasPrefix("file:"): "; pass the path instead of a URI"
        case _ where path.contains("://"): "; only file URLs can be opened"
        case _ where path.hasPrefix("~"): "; replace ~ by the path of the home folder"
        default: nil
        }
    }
}
