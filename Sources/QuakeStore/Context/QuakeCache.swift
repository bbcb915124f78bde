public import FoundationEssentials

// Lets `import QuakeStore` suffice for the types in its declarations.
@_exported public import QuakeModel

/// A local mirror of the earthquake feeds in one SQLite file, with its history of changes.
///
/// The value contains only a path and settings; a ``QuakeContext`` opens the file. Any number of threads and processes
/// may use the file at once: one writes while all others read the last committed state.
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

    /// Identifies the cache in the file at a `file:` URL.
    public init(url: URL, configuration: StoreConfiguration = StoreConfiguration()) {
        self.init(path: url.isFileURL ? url.path : url.absoluteString, configuration: configuration)
    }

    /// Creates an empty cache in memory that supports everything a cache in a file does. It exists as long as any copy
    /// of this value or any of its contexts.
    ///
    /// - Throws: ``StoreError/cannotOpen(path:reason:)`` if the system has no room for the cache.
    public static func inMemory(configuration: StoreConfiguration = StoreConfiguration()) throws -> QuakeCache {
        let folder = try MemoryFolder()
        let cache = QuakeCache(path: folder.path + "/quakes.db", configuration: configuration, folder: folder)
        _ = try QuakeContext(cache, access: .creating)
        return cache
    }

    /// The same cache with new workers, for a worker's context, which must not keep its own worker alive.
    var withOwnWorkers: QuakeCache { QuakeCache(path: path, configuration: configuration, folder: folder) }

    /// Throws if `path` names no file.
    static func requireFilePath(_ path: String) throws(StoreError) {
        guard let remedy = remedy(forPath: path) else { return }
        throw .cannotOpen(path: path, reason: "it is not the path of a file" + remedy)
    }

    /// Whether `path` can name a file.
    package static func isFilePath(_ path: String) -> Bool { remedy(forPath: path) == nil }

    /// Returns how to open the cache that a program seems to mean by `path`; nil if the path can name a file.
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
