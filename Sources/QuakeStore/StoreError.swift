public import QuakeModel

/// What can go wrong with the cache. Facts only; the words are the caller's.
public enum StoreError: Error, Equatable, Sendable {
    /// There is no file at `path`, or an empty one, and none was to be made.
    case noCache(path: String)
    /// The file is something else: no SQLite database, or one made by another program.
    case notACache(path: String)
    /// The cache was made by a newer version of this program.
    case newerSchema(path: String, found: Int, supported: Int)
    /// The file, or its folder, cannot be opened.
    case cannotOpen(path: String, reason: String)
    /// Another process held the cache for longer than the busy timeout.
    case busy(path: String)
    /// Another refresh of the cache is at work (``RefreshLock``).
    case refreshing(path: String)
    /// No space is left for the cache. Nothing of the transaction is kept.
    case diskFull(path: String)
    /// The cache or its folder cannot be written.
    case readOnly(path: String)
    /// The system could not read or write the file; `code` is SQLite's extended result code.
    case inputOutput(path: String, code: Int32, reason: String)
    /// The file is damaged.
    case corrupt(path: String, reason: String)
    /// SQLite refused a statement of this program; `code` is its extended result code.
    case statement(path: String, code: Int32, reason: String)
    /// The token cannot be followed in this cache.
    case token(TokenFault)
    /// The moment lies before the oldest state that can still be rebuilt.
    case generationExpired(floor: Int64)
    /// A consumer has not read the history that was to be purged.
    case unreadConsumer(name: String, number: Int64)
    /// The transaction cannot be taken back; `quakes` were changed again since, or are there already.
    case cannotUndo(transaction: Int64, quakes: [String])
    /// There is no such transaction in the history that is kept.
    case noTransaction(Int64)
    /// The context has been closed, or is in the wrong state for the call.
    case contextState(String)
}
