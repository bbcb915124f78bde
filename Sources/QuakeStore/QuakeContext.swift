import GRDB

/// One user's view of a store: reads it, collects changes, saves them as one transaction of the history.
///
/// A context owns one connection to the file and belongs to one thread at a time. What `ModelContext` does in SwiftData,
/// for a cache whose source of truth is a server.
public final class QuakeContext {
    /// The store the context belongs to.
    public let store: QuakeCache
    /// Recorded on every transaction this context makes. Reverse-domain style is a good habit: `org.example.alarm`.
    public var author: String
    /// When changes are saved without a call of ``save(_:)``. Off unless set.
    public var autosave = Autosave.off

    let connection: Connection
    /// Which generation reads see.
    var pin = Pin.none
    /// What is not saved yet.
    var pending = PendingChanges()
    /// What this context saved and can take back.
    var undoStack = UndoStack()
    let broadcast = SaveBroadcast()
    /// How many blocks deep the context is inside a transaction of its own.
    private(set) var depth = 0
    /// Whether the outermost block only reads, so that what is written inside would be lost.
    private var isReading = false

    private static let reading = "BEGIN DEFERRED"

    init(store: QuakeCache, author: String, connection: Connection) throws {
        self.store = store
        self.author = author
        self.connection = connection
    }

    deinit {
        saveOnRelease()
        broadcast.finish()
    }

    /// Runs `body` on the connection, outside or inside a transaction, and translates SQLite's errors. A pinned context
    /// holds its generation from the first such call on.
    func database<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try settlePin()
        return try connection.translatingErrors { try connection.queue.unsafeReentrantWrite(body) }
    }

    /// A number that is another one after any other connection, of this process or another, has committed something.
    public func dataVersion() throws -> Int64 {
        try database { try Int64.fetchOne($0, sql: "PRAGMA data_version") ?? 0 }
    }

    /// Runs `body` in one snapshot: whatever others commit meanwhile, every read inside sees the same state.
    public func snapshot<Result>(_ body: () throws -> Result) throws -> Result {
        try inTransaction(begin: QuakeContext.reading, keep: { _ in false }, body)
    }

    /// Runs `body` inside a transaction of SQLite, nested calls joining the outer one. What was written stays when
    /// `keep` says so, and never when `body` throws.
    ///
    /// In a pinned context reading joins the transaction that holds the generation, and writing works on the present:
    /// see ``pin(to:)``.
    ///
    /// - Throws: ``StoreError/contextState(_:)`` for a write inside a snapshot, which would keep nothing of it.
    func inTransaction<Result>(
        begin: String, keep: (Result) -> Bool, _ body: () throws -> Result
    ) throws -> Result {
        let reads = begin == QuakeContext.reading
        guard depth == 0 else {
            if isReading, !reads { throw StoreError.contextState("a write inside a snapshot") }
            return try body()
        }
        if reads, isPinned { return try database { _ in try nest(reads: true, body) } }
        return try releasingPin {
            // The whole body runs on the connection's queue: a writer may use the connection directly.
            try database { db in
                try db.execute(sql: begin)
                do {
                    let result = try nest(reads: reads, body)
                    try keep(result) ? db.execute(sql: "COMMIT") : rollBack(db)
                    return result
                } catch {
                    try? rollBack(db)
                    throw error
                }
            }
        }
    }

    private func nest<Result>(reads: Bool, _ body: () throws -> Result) throws -> Result {
        depth += 1
        isReading = reads
        defer {
            depth -= 1
            isReading = false
        }
        return try body()
    }

    /// Ends the transaction without its writes. SQLite has done so already after some errors, a full disk for one.
    func rollBack(_ db: Database) throws {
        if db.isInsideTransaction { try db.execute(sql: "ROLLBACK") }
    }
}
