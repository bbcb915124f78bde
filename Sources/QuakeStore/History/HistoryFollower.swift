import QuakeModel

/// Finds out whether anyone has committed something to a cache since it was last read.
///
/// SQLite tells nobody about the commits of other processes; inotify also reports what is not committed yet, and misses
/// a file that is replaced. So SQLite is asked for its data version, and the system for the identity of the file,
/// several times a second, for a few microseconds each time.
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
        (self.cache, self.access) = (cache, access)
        // The file's identity first: a file that takes its place meanwhile is news.
        file = FileIdentity(cache.path)
        context = try cache.context(access: access)
        version = try context.history.dataVersion()
    }

    /// Whether another connection has committed something, or another file has taken the cache's place, since the last
    /// call that said so. Read the history after it: a commit during the reading is news for the next call.
    ///
    /// Returns false while the cache is missing, just being replaced, or locked, as during a restore; a later call
    /// reports the change.
    package func hasNews() throws -> Bool {
        do {
            return try seesNews()
        } catch StoreError.noCache, StoreError.busy, StoreError.replaced {
            return false
        }
    }

    fileprivate func seesNews() throws -> Bool {
        // Where there is no file, it may come back.
        if let present = FileIdentity(cache.path), present != file {
            let next = try cache.context(access: access)
            (file, context, version) = (present, next, try next.history.dataVersion())
            return true
        }
        let present = try context.history.dataVersion()
        defer { version = present }
        return present != version
    }
}

/// Follows a cache that may not exist yet, for a reader that must not fail because of that.
final class CacheWatch {
    private let cache: QuakeCache
    private var follower: HistoryFollower?

    init(_ cache: QuakeCache) { self.cache = cache }

    /// A context to read with, where there may be something that was not read; nil where there is not.
    ///
    /// - Parameter isBehind: whether the last reading left something.
    func news(orElse isBehind: Bool) throws -> QuakeContext? {
        do {
            if let follower { return try follower.seesNews() || isBehind ? follower.context : nil }
            follower = try HistoryFollower(cache)
            return follower?.context
        } catch StoreError.noCache, StoreError.busy {
            // It may be created, or put back, at any time.
            return nil
        }
    }
}
