/// The work of one context on a cache: the connection, the state that reads see, and the open transaction.
///
/// Only one thread at a time may use a session.
package final class StoreSession {
    /// The path of the cache as passed by the program.
    let path: String
    let configuration: StoreConfiguration
    /// The connection used for writing. Reads use ``database()``.
    let connection: Database
    /// The folder of a cache in memory, which lasts as long as any session.
    private let folder: MemoryFolder?
    /// The author recorded with every transaction.
    var author: String
    /// The purpose recorded with each transaction that does not name a purpose of its own; nil for none.
    var name: String?
    /// The generation that reads see; nil for the newest state.
    private(set) var pin: Pin?
    private(set) var nesting: Nesting
    /// The transaction being written, once it has an entry in the history.
    var openTransaction: TransactionNumber?
    private var endHandlers: [EndHandler] = []

    /// A function called once the open transaction has ended. The argument is false after a rollback.
    package typealias EndHandler = (_ isCommitted: Bool) -> Void

    /// A generation, and this session's own view of its connection.
    struct Pin {
        let generation: HeldGeneration
        let view: Database
    }

    /// The snapshots, reads and transactions that are open, nested in one another.
    package struct Nesting {
        /// The number of snapshots and transactions.
        package fileprivate(set) var depth = 0
        /// Whether the outermost snapshot or transaction is read-only, so that a write inside it would be lost.
        package fileprivate(set) var isReading = false
        /// The number of open reads that call a function for each quake.
        package fileprivate(set) var visits = 0
        /// Whether a transaction that records history is running. A second writer on the same connection would reuse
        /// the first writer's change ids.
        package fileprivate(set) var hasWriter = false
        /// The number of snapshots and transactions that failed, which may have rolled back temporary tables.
        package fileprivate(set) var failures = 0
    }

    /// - Parameter isInSnapshot: whether the connection is inside a read transaction that lasts as long as the session.
    init(
        path: String, configuration: StoreConfiguration, connection: Database, author: String = "",
        folder: MemoryFolder? = nil, isInSnapshot: Bool = false
    ) {
        self.path = path
        self.configuration = configuration
        self.connection = connection
        self.author = author
        self.folder = folder
        nesting = Nesting(depth: isInSnapshot ? 1 : 0, isReading: isInSnapshot)
    }

    /// Returns a session that reads `generation`.
    func pinned(to generation: HeldGeneration) -> StoreSession {
        let session = StoreSession(
            path: path, configuration: configuration, connection: connection, author: author, folder: folder)
        session.hold(generation)
        return session
    }

    // MARK: The state that reads see

    /// Makes reads see `generation`; nil for the newest state.
    func hold(_ generation: HeldGeneration?) { pin = generation.map { Pin(generation: $0, view: $0.view()) } }

    /// Whether a writing transaction is open. Reads inside it see its changes, even in a pinned session.
    var isWriting: Bool { nesting.depth > 0 && !nesting.isReading }

    /// The generation that reads see; nil if they see the newest state, such as inside a writing transaction.
    var heldGeneration: HeldGeneration? { isWriting ? nil : pin?.generation }

    /// The tables that reads use.
    var source: QuakeSource { QuakeSource(overlays: [heldGeneration?.overlay].compactMap(\.self)) }

    /// Returns the connection for reads. In an unpinned session, throws ``StoreError/replaced(path:)`` if another file
    /// has replaced the cache.
    func database() throws -> Database {
        if !isWriting, let pin { return pin.view }
        if nesting.depth == 0 { try connection.requireSameFile() }
        return connection
    }

    /// The last transaction that is visible to reads.
    var newestReadable: TransactionNumber {
        if let heldGeneration, heldGeneration.isPast { heldGeneration.position.token.number } else { newestComplete }
    }

    /// The last transaction with a complete record of its changes. The transaction being written does not count: a
    /// reader that continued from its token would miss the changes still to come.
    var newestComplete: TransactionNumber { openTransaction?.previous ?? .maximum }

    // MARK: Snapshots and transactions

    /// Runs `body` so that all its reads see the same state of the cache, regardless of commits by others.
    func snapshot<Result>(_ body: () throws -> Result) throws -> Result { try inTransaction(.reading, body) }

    /// Runs `body` in one snapshot, with a session that reads the newest state, to which writes apply.
    func inNewestState<Result>(_ body: (StoreSession) throws -> Result) throws -> Result {
        guard pin != nil, !isWriting else { return try snapshot { try body(self) } }
        let unpinned = StoreSession(
            path: path, configuration: configuration, connection: connection, author: author, folder: folder)
        unpinned.name = name
        return try unpinned.snapshot { try body(unpinned) }
    }

    /// Runs `body` in a SQLite transaction, which is committed unless `keep` returns false or `body` throws. A nested
    /// write is a savepoint that is kept or dropped separately, but committed only with the outer transaction.
    ///
    /// - Throws: ``StoreError/readOnly(path:)`` for a write by a session for reading, and
    ///   ``StoreError/contextState(_:)`` for a write inside a snapshot, which would discard the write.
    func inTransaction<Result>(
        _ kind: Database.Transaction, keep: (Result) -> Bool = { _ in true }, _ body: () throws -> Result
    ) throws -> Result {
        if kind == .writing { try connection.requireWritable() }
        if nesting.depth > 0 {
            guard kind == .writing else { return try body() }
            try requireNoVisit()
            if nesting.isReading { throw StoreError.contextState("a write inside a snapshot") }
            guard connection.isInsideTransaction else {
                throw StoreError.contextState("a write after SQLite rolled the transaction back")
            }
            return try ending(keep) { try connection.inSavepoint(keep: keep, body) }
        }
        if kind == .reading {
            if pin != nil { return try nest(kind, body) }
            try connection.requireSameFile()
        }
        return try ending(keep) { try connection.inTransaction(kind, keep: keep) { try nest(kind, body) } }
    }

    /// Calls `handler` after the outermost transaction has been committed, or as soon as the writes made so far in the
    /// open transaction have been rolled back. After a rollback, the handlers are called in reverse order.
    func atEnd(_ handler: @escaping EndHandler) { endHandlers.append(handler) }

    /// Runs a transaction or savepoint, and calls the handlers of the writes that it committed or rolled back.
    private func ending<Result>(_ keep: (Result) -> Bool, _ transaction: () throws -> Result) throws -> Result {
        let outer = endHandlers
        func rollBack() {
            let handlers = endHandlers.dropFirst(outer.count)
            endHandlers = outer
            handlers.reversed().forEach { $0(false) }
        }
        do {
            let result = try transaction()
            if !keep(result) {
                rollBack()
            } else if nesting.depth == 0 {
                let handlers = endHandlers
                endHandlers = []
                handlers.forEach { $0(true) }
            }
            return result
        } catch {
            rollBack()
            throw error
        }
    }

    private func nest<Result>(_ kind: Database.Transaction, _ body: () throws -> Result) throws -> Result {
        nesting.depth += 1
        nesting.isReading = kind == .reading
        defer {
            nesting.depth -= 1
            nesting.isReading = false
        }
        do {
            return try body()
        } catch {
            nesting.failures += 1
            throw error
        }
    }

    /// Runs `body`, which writes a transaction of the history. Throws ``StoreError/contextState(_:)`` if this session
    /// is already writing another one.
    func asOnlyTransaction<Result>(_ body: () throws -> Result) throws -> Result {
        guard !nesting.hasWriter else {
            throw StoreError.contextState("a transaction inside another one of the same context")
        }
        nesting.hasWriter = true
        defer { nesting.hasWriter = false }
        return try body()
    }

    /// Runs `body` in one snapshot. Meanwhile, rejects writes by this session, because open statements would see them.
    func inReadOnlySnapshot<Result>(_ body: () throws -> Result) throws -> Result {
        try snapshot {
            nesting.visits += 1
            defer { nesting.visits -= 1 }
            return try body()
        }
    }

    func requireNoVisit() throws {
        if nesting.visits > 0 { throw StoreError.contextState("a write while this context reads quake by quake") }
    }
}
