/// A connection to a cache that reads quakes, collects changes, and saves the changes as one transaction.
///
/// Only one thread at a time may use a context. It corresponds to `ModelContext` in SwiftData, for a cache whose source
/// of truth is a server.
///
/// Methods that read or write the cache throw ``StoreError`` if they fail, and pass on errors thrown by a body or
/// predicate. Each method's documentation lists only additional errors.
public final class QuakeContext {
    /// The cache that the context reads and writes.
    public let cache: QuakeCache
    /// The author recorded with every transaction, preferably in reverse-domain style: `org.example.alarm`.
    public var author: String

    /// The generation that is visible to reads.
    var pin = Pin.none
    /// When to save changes automatically.
    var autosave = Autosave.off
    /// The handler that each save calls before its commit.
    var onWillSave: (([PendingChange]) -> Void)?
    /// The changes that have not been saved yet.
    var pending = PendingChanges()
    /// The cache with the pending changes applied, as of the last read.
    var pendingView: PendingView?
    /// The transactions of this context that can be undone and redone.
    var undoStack = UndoStack()
    let broadcast = SaveBroadcast()
    /// The transactions that this context committed, for ``StoreHistory/remoteChanges(after:isCoalesced:every:)``.
    let ownTransactions = OwnTransactions()
    /// Transactions to omit when this context reads the history.
    var ignoredTransactions: OwnTransactions?
    /// The connection used for writing. Reads use ``database()``, which first applies any pin.
    let connection: Database
    /// The number of nested snapshots and transactions that are open.
    private(set) var depth = 0
    /// The number of nested reads in progress.
    var visits = 0
    /// Whether the outermost snapshot or transaction is read-only, so that a write inside it would be lost.
    private var isReading = false
    /// Whether a transaction, or a ``StoreEdits/transaction(_:)`` block before its save, is running. A second writer on
    /// the same connection would reuse the first one's change numbers.
    private(set) var isInTransaction = false
    /// The writer of the open transaction; nil if there is none.
    weak var writer: QuakeWriter?

    init(cache: QuakeCache, author: String, connection: Database) {
        (self.cache, self.author, self.connection) = (cache, author, connection)
    }

    deinit {
        edits.saveOnRelease()
        broadcast.finish()
    }

    /// Returns the connection for reads, after applying any pin that takes effect at the next read. In an unpinned
    /// context, throws ``StoreError/replaced(path:)`` if another file has replaced the cache.
    func database() throws -> Database {
        if case .settling(let reader) = pin { return reader }
        if try settledGeneration() != nil, case .held(_, let view) = pin { return view }
        if depth == 0 { try connection.requireSameFile() }
        return connection
    }

    /// Whether a writing transaction is open. Reads inside it see its changes, even in a pinned context.
    var isWriting: Bool { depth > 0 && !isReading }

    /// Runs `body` so that all its reads see the same state of the cache, regardless of commits by others.
    public func snapshot<Result>(_ body: () throws -> Result) throws -> Result { try inTransaction(.reading, body) }

    /// Runs `body` in a SQLite transaction, which is committed unless `keep` returns false or `body` throws. A nested
    /// write is a savepoint that is kept or dropped separately, but committed only with the outer transaction.
    ///
    /// - Throws: ``StoreError/contextState(_:)`` for a write inside a snapshot, which would discard the write.
    func inTransaction<Result>(
        _ kind: Database.Transaction, keep: (Result) -> Bool = { _ in true }, _ body: () throws -> Result
    ) throws -> Result {
        if depth > 0 {
            guard kind == .writing else { return try body() }
            try requireNoVisit()
            if isReading { throw StoreError.contextState("a write inside a snapshot") }
            guard connection.isInsideTransaction else {
                throw StoreError.contextState("a write after SQLite rolled the transaction back")
            }
            return try connection.inSavepoint(keep: keep, body)
        }
        if kind == .reading {
            if try settledGeneration() != nil { return try nest(kind, body) }
            try connection.requireSameFile()
        }
        return try connection.inTransaction(kind, keep: keep) { try nest(kind, body) }
    }

    private func nest<Result>(_ kind: Database.Transaction, _ body: () throws -> Result) throws -> Result {
        depth += 1
        isReading = kind == .reading
        defer {
            depth -= 1
            isReading = false
        }
        do {
            return try body()
        } catch {
            // The view's tables may have been rolled back with the transaction.
            pendingView = nil
            throw error
        }
    }

    /// Runs `body` as a transaction. Throws if another one of this context is running.
    func asOnlyTransaction<Result>(_ body: () throws -> Result) throws -> Result {
        guard !isInTransaction else {
            throw StoreError.contextState("a transaction inside another one of the same context")
        }
        isInTransaction = true
        defer { isInTransaction = false }
        return try body()
    }

    func requireNoVisit() throws {
        if visits > 0 { throw StoreError.contextState("a write while this context reads quake by quake") }
    }
}

extension QuakeContext: CustomDebugStringConvertible {
    /// The file, the author, the pin, and the number of pending changes.
    public var debugDescription: String {
        let state =
            switch pin {
            case .none: "unpinned"
            case .waiting, .settling: "pinned at the next read"
            case .held(let generation, _): "pinned to \(generation.place.token)"
            }
        return "QuakeContext(\(cache.path), author \(author), \(state), \(pending.entries.count) pending)"
    }
}
