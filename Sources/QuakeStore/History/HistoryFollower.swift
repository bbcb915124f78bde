import QuakeModel

/// Finds out whether anyone has committed something to a cache since it was last read.
///
/// Need: a reader learns of the commits of other contexts and processes. Hazard: SQLite tells nobody about them;
/// inotify also reports what is not committed yet, and misses a file that is replaced under its name. Choice: ask
/// SQLite for its data version and the system for the file's identity, several times a second. Price: a few
/// microseconds each time.
package final class HistoryFollower {
    /// The time from one question to the next that suits people.
    package static let interval = Duration.milliseconds(200)

    /// Reads the cache. Another one after the file was replaced.
    package private(set) var context: QuakeContext
    private let cache: QuakeCache
    private let access: StoreConfiguration.Access
    private var file: FileIdentity?
    private var version: Int64

    /// A follower of `cache`, with a context of its own that was just opened.
    package init(_ cache: QuakeCache, access: StoreConfiguration.Access = .reading) throws {
        self.cache = cache
        self.access = access
        // The file's identity first: a file that takes its place meanwhile is news.
        file = FileIdentity(cache.path)
        context = try cache.context(access: access)
        version = try context.dataVersion()
    }

    /// Whether another connection has committed something, or another file has taken the cache's place, since the last
    /// call that said so. Read the history after it: a commit during the reading is news for the next call.
    package func hasNews() throws -> Bool {
        // Where there is no file, it may come back.
        if let present = FileIdentity(cache.path), present != file {
            let next = try cache.context(access: access)
            (file, context, version) = (present, next, try next.dataVersion())
            return true
        }
        let present = try context.dataVersion()
        defer { version = present }
        return present != version
    }
}
