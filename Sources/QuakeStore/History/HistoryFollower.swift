/// Finds out whether anyone has committed something to a cache since it was last read.
///
/// SQLite tells nobody about the commits of other processes; inotify also reports what is not committed yet, and misses
/// a file that is replaced. So the newest transaction is read, and the identity of the files compared, several times a
/// second, which takes a few microseconds. A transaction can be compared even through another connection.
package final class HistoryFollower {
    /// The time from one question to the next that suits people.
    package static let interval = Duration.milliseconds(200)

    /// Reads the cache; nil while there is none to read. Another one after the file was replaced, and every minute: a
    /// connection whose files or locks others have taken away hears nothing any more.
    package private(set) var context: QuakeContext?
    private let cache: QuakeCache
    private let access: StoreConfiguration.Access
    private let patience: Duration?
    private let clock = ContinuousClock()
    private var opened: ContinuousClock.Instant
    /// Since when the cache cannot be read.
    private var failing: ContinuousClock.Instant?
    /// The state that was read last; nil if the next one is news in any case.
    private var version: Int64?

    /// A follower of `cache`, which need not exist yet.
    ///
    /// - Parameter patience: how long to wait for a cache that is missing or locked before throwing, nil for ever; and
    ///   how long to hear nothing before opening the cache again, nil for a minute.
    package init(
        _ cache: QuakeCache, access: StoreConfiguration.Access = .reading, patience: Duration? = .seconds(60)
    ) {
        (self.cache, self.access, self.patience) = (cache, access, patience)
        opened = clock.now
    }

    /// What `read` makes of the cache, if another connection has committed something, or another file has taken the
    /// cache's place, since the last reading that succeeded; otherwise nil. A commit during the reading is news for the
    /// next call.
    ///
    /// Returns nil while the cache is missing, just being replaced, or locked, as during a restore; a later call
    /// reads what changed.
    ///
    /// - Parameter isBehind: whether the last reading left something, so that there is always news.
    /// - Throws: what `read` throws, and ``StoreError`` where the cache cannot be read, or one of these states lasts.
    @discardableResult
    package func news<Result>(
        orElse isBehind: Bool = false, _ read: (QuakeContext) throws -> Result?
    ) throws -> Result? {
        do {
            let context = try current()
            let present = try context.history.dataVersion()
            let result = present != version || isBehind ? try read(context) : nil
            (version, failing) = (present, nil)
            return result
        } catch let error as StoreError {
            context = nil
            guard Self.mayPassSoon(error) else { throw error }
            version = nil
            let start = failing ?? clock.now
            failing = start
            if let patience, clock.now - start >= patience { throw error }
            return nil
        }
    }

    private static func mayPassSoon(_ error: StoreError) -> Bool {
        switch error {
        case .noCache, .busy, .replaced: true
        default: false
        }
    }

    /// Lets go of a file before it opens another one: closing the index of a log drops the locks that this process has
    /// on it through other connections (POSIX), and other processes would take it for unused.
    private func current() throws -> QuakeContext {
        if let context {
            let isThere = (try? context.connection.requireSameFile()) != nil
            if isThere, clock.now - opened < patience ?? .seconds(60) { return context }
            if !isThere { version = nil }
        }
        context = nil
        let next = try cache.context(access: access)
        (context, opened) = (next, clock.now)
        return next
    }
}
