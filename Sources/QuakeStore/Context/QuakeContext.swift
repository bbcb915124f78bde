/// A connection to a cache that reads quakes and their history, and writes each change as one transaction.
///
/// Only one thread at a time may use a context. To collect changes before they are saved, as `ModelContext` in
/// SwiftData does, create a `QuakeEditor` (module QuakeEditing) on top of it.
///
/// Methods that read or write the cache throw ``StoreError`` if they fail, and pass on errors thrown by a body or
/// predicate. Each method's documentation lists only additional errors.
public final class QuakeContext {
    /// The cache that the context reads and writes.
    public let cache: QuakeCache
    let session: StoreSession
    /// The transactions that this context committed, for ``remoteChanges(after:isCoalesced:every:)``.
    let ownTransactions = OwnTransactions()
    private var commitHandlers: [Int: CommitHandler] = [:]

    /// Opens the file of a cache. A new file is accessible only to its owner and to users who may create files in its
    /// folder.
    ///
    /// - Parameters:
    ///   - cache: the file to open.
    ///   - author: the author recorded with every transaction; nil for ``StoreConfiguration/program``.
    ///   - access: whether the context may write, and create the file.
    /// - Throws: ``StoreError`` if there is no cache, the file is not a cache, or its schema is newer than this library
    ///   supports. Also throws for a path that names no file: `:memory:` (see ``QuakeCache/inMemory(configuration:)``),
    ///   a `file:` URI, or one that begins with `~`, which only a shell expands.
    public convenience init(
        _ cache: QuakeCache, author: String? = nil, access: StoreConfiguration.Access = .writing
    ) throws {
        try QuakeCache.requireFilePath(cache.path)
        try cache.configuration.requireInRange()
        self.init(
            cache: cache, author: author ?? cache.configuration.program,
            connection: try Database(cacheAt: cache.path, access: access, configuration: cache.configuration))
    }

    init(cache: QuakeCache, author: String, connection: Database) {
        self.cache = cache
        session = StoreSession(
            path: cache.path, configuration: cache.configuration, connection: connection, author: author,
            folder: cache.folder)
    }

    /// The author recorded with every transaction, preferably in reverse-domain style: `org.example.alarm`.
    public var author: String {
        get { session.author }
        set { session.author = newValue }
    }

    /// The purpose recorded with each transaction that does not name a purpose of its own; nil for none.
    public var name: String? {
        get { session.name }
        set { session.name = newValue }
    }

    /// The history: transactions, changes, tokens, and consumers.
    public var history: StoreHistory { StoreHistory(session: session) }

    /// The feeds, coverage and unconfirmed changes of the cache.
    package var sources: SourceRecords { SourceRecords(session: session) }

    /// Runs `body` so that all its reads see the same state of the cache, regardless of commits by others.
    public func snapshot<Result>(_ body: () throws -> Result) throws -> Result { try session.snapshot(body) }

    /// The snapshots, reads and transactions that are open, nested in one another.
    package var nesting: StoreSession.Nesting { session.nesting }

    /// Whether a writing transaction is open. Reads inside it see its changes, even in a pinned context.
    package var isWriting: Bool { session.isWriting }

    /// Throws ``StoreError/readOnly(path:)`` if the context was opened for reading.
    package func requireWritable() throws { try session.connection.requireWritable() }

    /// Runs `body`, which writes a transaction of the history. Throws ``StoreError/contextState(_:)`` if this context
    /// is already writing another one.
    package func asOnlyTransaction<Result>(_ body: () throws -> Result) throws -> Result {
        try session.asOnlyTransaction(body)
    }

    /// Runs `body` in one snapshot. Meanwhile, writes by this context throw ``StoreError/contextState(_:)``.
    package func inReadOnlySnapshot<Result>(_ body: () throws -> Result) throws -> Result {
        try session.inReadOnlySnapshot(body)
    }
}

extension QuakeContext {
    /// A function called with each transaction just before its commit. It returns a second function, which is called
    /// with true after the commit of the outermost transaction, or with false after a rollback.
    package typealias CommitHandler = (HistoryTransaction) throws -> StoreSession.EndHandler

    /// Adds a handler under the lowest free number, and returns that number, for ``removeCommitHandler(_:)``.
    package func addCommitHandler(_ handler: @escaping CommitHandler) -> Int {
        let number = (0...commitHandlers.count).first { commitHandlers[$0] == nil } ?? commitHandlers.count
        commitHandlers[number] = handler
        return number
    }

    package func removeCommitHandler(_ number: Int) { commitHandlers[number] = nil }

    /// Prepares for the commit of a transaction, and calls the handlers in the order of their numbers.
    func prepareCommit(of entry: HistoryTransaction) throws {
        ownTransactions.add(entry.token, floor: try history.floor().number)
        session.atEnd { isCommitted in if isCommitted { self.advanceAfterWrite() } }
        for (_, handler) in commitHandlers.sorted(by: { $0.key < $1.key }) { session.atEnd(try handler(entry)) }
    }
}

extension QuakeContext: CustomDebugStringConvertible {
    /// The file, the author and the pin.
    public var debugDescription: String {
        let state = session.pin.map { "pinned to \($0.generation.position.token)" } ?? "unpinned"
        return "QuakeContext(\(cache.path), author \(author), \(state))"
    }
}
