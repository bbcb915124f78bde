/// Detects commits made to a cache since it was last read.
///
/// SQLite does not announce the commits of other processes; inotify also reports uncommitted writes, and misses a
/// replaced file. The follower therefore polls several times a second, comparing the newest transaction and the
/// identity of the files, which takes a few microseconds. Transactions can be compared even across connections.
package final class HistoryFollower {
    /// The polling interval for interactive use.
    package static let interval = Duration.milliseconds(200)
    /// The shortest interval that a program may choose. Each check takes a few microseconds and wakes a thread.
    static let minimumInterval = Duration.milliseconds(50)

    /// The context that reads the cache; nil while there is no cache to read. A new context is opened at regular
    /// intervals and when the file is replaced, because a connection whose files or locks have been removed no longer
    /// sees commits.
    package private(set) var context: QuakeContext?
    private let cache: QuakeCache
    private let access: StoreConfiguration.Access
    private let patience: Duration?
    private var openedAt: ContinuousClock.Instant
    /// The time at which the cache became unreadable; nil while it can be read.
    private var failingSince: ContinuousClock.Instant?
    /// The newest token at the last successful read; nil if any state counts as new.
    private var lastToken: HistoryToken?

    /// Creates a follower of `cache`, which need not exist yet.
    ///
    /// - Parameter patience: the time to wait for a missing or locked cache before throwing; nil to wait forever. The
    ///   cache is also reopened at this interval, or every minute if nil.
    package init(
        _ cache: QuakeCache, access: StoreConfiguration.Access = .reading, patience: Duration? = .seconds(60)
    ) {
        self.cache = cache
        self.access = access
        self.patience = patience
        openedAt = ContinuousClock.now
    }

    /// Returns the result of `read` if there has been a commit, or another file has replaced the cache, since the last
    /// successful read; otherwise nil. The next call reports any commit made during the read.
    ///
    /// Also returns nil while the cache is missing, being replaced, or locked, as during a restore.
    ///
    /// - Parameter isBehind: whether the last read left something unread, so that `read` runs even without a commit.
    /// - Throws: any error from `read`, and ``StoreError`` if the cache cannot be read or is unavailable for too long.
    @discardableResult
    package func readIfChanged<Result>(
        or isBehind: Bool = false, _ read: (QuakeContext) throws -> Result?
    ) throws -> Result? {
        do {
            let context = try current()
            let present = try context.history.newest()
            let result = present != lastToken || isBehind ? try read(context) : nil
            lastToken = present
            failingSince = nil
            return result
        } catch let error as StoreError {
            context = nil
            switch error {
            case .noCache, .busy, .replaced: lastToken = nil
            default: throw error
            }
            let start = failingSince ?? ContinuousClock.now
            failingSince = start
            if let patience, ContinuousClock.now - start >= patience { throw error }
            return nil
        }
    }

    /// Returns the current context. Releases the old connection before opening a new one. Otherwise, closing the log's
    /// index would drop the locks that the new connection holds on it (POSIX), so other processes would consider the
    /// index unused.
    private func current() throws -> QuakeContext {
        if let context {
            let isThere = (try? context.session.connection.requireSameFile()) != nil
            if isThere, ContinuousClock.now - openedAt < patience ?? .seconds(60) { return context }
            if !isThere { lastToken = nil }
        }
        context = nil
        let next = try QuakeContext(cache, access: access)
        context = next
        openedAt = ContinuousClock.now
        return next
    }
}
