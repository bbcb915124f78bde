/// Reading and writing from any task. The cache's own threads do the work, so no task waits for the disk.
extension QuakeCache {
    /// Runs `body` with a context for reading. All reads in `body` see the same state. Several readers may run at the
    /// same time, even while a write is in progress.
    ///
    /// - Throws: any error that `body` throws, and `CancellationError` immediately if the task is canceled while it
    ///   waits for its turn. Once started, `body` is not interrupted.
    public func read<Result: Sendable>(
        _ body: @escaping @Sendable (QuakeContext) throws -> Result
    ) async throws -> Result {
        try await readers.run(self, .reading) { context in
            try context.snapshot { try body(context) }
        }
    }

    /// Returns the quakes that the descriptor requests. To combine several reads of one state, see ``read(_:)``.
    public func fetch(_ descriptor: QuakeDescriptor = QuakeDescriptor()) async throws -> [StoredQuake] {
        try await read { try $0.fetch(descriptor) }
    }

    /// Returns the age and the coverage of the data.
    public func status() async throws -> CacheStatus { try await read { try $0.status() } }

    /// Runs `body` with a context for writing. Either everything that `body` does is committed, or nothing is.
    ///
    /// No other writer runs meanwhile, so data that `body` reads is still current when it writes. The file is created
    /// if it does not exist. If another process is writing, the call waits for up to
    /// ``StoreConfiguration/busyTimeout``.
    ///
    /// - Parameters:
    ///   - author: the author recorded with the transaction; nil for ``StoreConfiguration/program``.
    ///   - body: a closure that changes the cache through the context passed to it. The context cannot be pinned.
    /// - Throws: any error that `body` throws, and `CancellationError` immediately if the task is canceled while it
    ///   waits for its turn.
    @discardableResult
    public func write<Result: Sendable>(
        author: String? = nil, _ body: @escaping @Sendable (QuakeContext) throws -> Result
    ) async throws -> Result {
        try await writers.run(self, .creating) { context in
            context.author = author ?? configuration.program
            context.name = nil
            return try context.session.inTransaction(.writing) {
                try Task.checkCancellation()
                return try body(context)
            }
        }
    }
}
