/// One user's view of a cache: reads it, collects changes, and saves them as one transaction of the history.
///
/// A context owns a connection to the file and belongs to one thread at a time. It does what `ModelContext` does in
/// SwiftData, for a cache whose source of truth is a server.
///
/// Everything that reads or writes the cache throws ``StoreError`` when it cannot, here and in what the context gives
/// out, and what its body or predicate throws. The methods name their other errors.
public final class QuakeContext {
    /// The cache the context belongs to.
    public let cache: QuakeCache
    /// Recorded with every transaction of this context. Reverse-domain style is a good habit: `org.example.alarm`.
    public var author: String

    /// Which generation reads see.
    var pin = Pin.none
    /// When changes are saved without being asked.
    var autosave = Autosave.off
    /// Called by each save before its commit.
    var onWillSave: (([PendingChange]) -> Void)?
    /// What is not saved yet.
    var pending = PendingChanges()
    /// What that leaves, as the last read saw it.
    var pendingView: PendingView?
    /// What this context saved and can undo.
    var undoStack = UndoStack()
    let broadcast = SaveBroadcast()
    /// What this context committed, for ``StoreHistory/remoteChanges(after:every:)``.
    let ownTransactions = OwnTransactions()
    /// Transactions that the history this context reads leaves out, beside what a descriptor says.
    var ignoredTransactions: OwnTransactions?
    /// The connection that writes. Reads go through ``database()``, which applies a pin first.
    let connection: Database
    /// How many snapshots and transactions of this context are open, one inside the other.
    private(set) var depth = 0
    /// How many reads are under way, one inside the body of the other.
    var visits = 0
    /// Whether the outermost of them only reads, so that a write inside would be lost.
    private var isReading = false
    /// Whether a writer is at work. A second one on the same connection would number its changes a second time.
    private var hasWriter = false
    /// The writer of the transaction that is open; nil without one.
    weak var writer: QuakeWriter?
    /// Whether a block of ``StoreEdits/transaction(_:)`` runs, after which everything is to be saved at once.
    private(set) var isInBlock = false
    /// Whether a save is waiting for its listeners. What they change does not start another save.
    var isTellingWillSave = false

    init(cache: QuakeCache, author: String, connection: Database) {
        (self.cache, self.author, self.connection) = (cache, author, connection)
    }

    deinit {
        edits.saveOnRelease()
        broadcast.finish()
    }

    /// The connection for reads, after a pin that waits for the next read has been applied. Throws
    /// ``StoreError/replaced(path:)`` for a file that is no longer the cache; a generation is kept as it was.
    func database() throws -> Database {
        if case .settling(let reader) = pin { return reader }
        if try settledGeneration() != nil, case .held(_, let view) = pin { return view }
        if depth == 0 { try connection.requireSameFile() }
        return connection
    }

    /// Whether a transaction that writes is open. Reads inside see what it has written, even in a pinned context.
    var isWriting: Bool { depth > 0 && !isReading }

    /// Runs `body` in one snapshot: every read inside sees the same state, whatever others commit meanwhile.
    public func snapshot<Result>(_ body: () throws -> Result) throws -> Result { try inTransaction(.reading, body) }

    /// Runs `body` inside a transaction of SQLite. Its writes are kept if `keep` returns true, and never if `body`
    /// throws. A write inside a write is a savepoint, kept or dropped by itself; the outer one decides in the end.
    ///
    /// - Throws: ``StoreError/contextState(_:)`` for a write inside a snapshot, which would keep nothing of it.
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
            // Its tables may go with the transaction.
            pendingView = nil
            throw error
        }
    }

    /// Runs `body`, which numbers transactions and changes, and refuses to do so inside another call of this kind.
    func asOnlyWriter<Result>(_ body: () throws -> Result) throws -> Result {
        try requireNoTransaction()
        hasWriter = true
        defer { hasWriter = false }
        return try body()
    }

    /// Runs the block of ``StoreEdits/transaction(_:)``.
    func inBlock(_ body: () throws -> Void) throws {
        isInBlock = true
        defer { isInBlock = false }
        try body()
    }

    func requireNoVisit() throws {
        if visits > 0 { throw StoreError.contextState("a write while this context reads quake by quake") }
    }

    func requireNoTransaction() throws {
        guard !hasWriter, !isInBlock else {
            throw StoreError.contextState("a transaction inside another one of the same context")
        }
    }
}

extension QuakeContext: CustomDebugStringConvertible {
    /// The file, the author, the pin, and how much is pending.
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
