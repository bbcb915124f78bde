import SQLiteSwitches

/// A local copy of the earthquake feeds in one SQLite file, with every change it ever saw.
///
/// The store itself is a name and settings; a ``QuakeContext`` opens the file. Contexts of any number of threads and
/// processes may use one file at the same time: one writes, all others read what was committed before.
public struct QuakeCache: Sendable {
    /// Where the file lies.
    public let path: String
    /// How the file is opened.
    public let configuration: StoreConfiguration

    /// The store in the file at `path`. Nothing is opened yet.
    public init(path: String, configuration: StoreConfiguration = StoreConfiguration()) {
        self.path = path
        self.configuration = configuration
    }

    /// Lets SQLite keep no count of its memory in this process, which takes a lock at every allocation: a few per cent of an
    /// import. To be called before the first store is opened, by a program where nobody else uses SQLite and asks for the count.
    public static func stopCountingMemory() {
        // Too late, when SQLite is in use already: then it goes on counting.
        _ = sqlite_switch_memory_statistics_off()
    }

    /// Opens the file for work by `author`, who is recorded on every transaction the context makes.
    ///
    /// - Throws: ``StoreError`` when there is no cache, the file is something else, or it was made by a newer version.
    public func context(
        author: String = "library", access: StoreConfiguration.Access = .writing
    ) throws -> QuakeContext {
        try QuakeContext(
            store: self, author: author,
            connection: Connection(path: path, access: access, configuration: configuration))
    }
}
