import GRDB
/// One user's view of a store: reads it, collects changes, saves them as one transaction of the history.
///
/// A context owns one connection to the file and belongs to one thread at a time. What `ModelContext` does in SwiftData,
/// for a cache whose source of truth is a server.
public final class QuakeContext {
    public let store: QuakeStore
    /// Recorded on every transaction this context makes. Reverse-domain style is a good habit: `org.example.alarm`.
    public var author: String

    let connection: Connection
    /// How many blocks deep the context is inside a transaction of its own.
    private var depth = 0

    init(store: QuakeStore, author: String, connection: Connection) throws {
        self.store = store
        self.author = author
        self.connection = connection
    }

    /// Runs `body` on the connection, outside or inside a transaction, and translates SQLite's errors.
    func database<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try connection.translatingErrors { try connection.queue.unsafeReentrantWrite(body) }
    }

    /// A number that is another one after any other connection, of this process or another, has committed something.
    public func dataVersion() throws -> Int64 {
        try database { try Int64.fetchOne($0, sql: "PRAGMA data_version") ?? 0 }
    }

    /// Runs `body` in one snapshot: whatever others commit meanwhile, every read inside sees the same state.
    public func snapshot<Result>(_ body: () throws -> Result) throws -> Result {
        try inTransaction(begin: "BEGIN DEFERRED", keep: { _ in false }, body)
    }

    /// Runs `body` inside a transaction of SQLite, nested calls joining the outer one. What was written stays when
    /// `keep` says so, and never when `body` throws.
    func inTransaction<Result>(
        begin: String, keep: (Result) -> Bool, _ body: () throws -> Result
    ) throws -> Result {
        guard depth == 0 else { return try body() }
        // The whole body runs on the connection's queue: a writer may use the connection directly.
        return try database { db in
            try db.execute(sql: begin)
            depth += 1
            defer { depth -= 1 }
            do {
                let result = try body()
                try keep(result) ? db.execute(sql: "COMMIT") : rollBack(db)
                return result
            } catch {
                try? rollBack(db)
                throw error
            }
        }
    }

    /// Ends the transaction without its writes. SQLite has done so already after some errors, a full disk for one.
    private func rollBack(_ db: Database) throws {
        if db.isInsideTransaction { try db.execute(sql: "ROLLBACK") }
    }
}
