import QuakeSystem

/// A context that runs on its own thread, so that code on any thread can use it.
actor CacheWorker {
    private let executor = ThreadExecutor()
    private var openContext: QuakeContext?

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Runs `body` with the worker's context. Creates a new context after an error or if the file was replaced.
    func run<Result: Sendable>(
        _ cache: QuakeCache, _ access: StoreConfiguration.Access, _ body: @Sendable (QuakeContext) throws -> Result
    ) throws -> Result {
        try Task.checkCancellation()
        // Keep the context while the file is missing: the file may return, and a new context might create another file.
        if FileIdentity(cache.path) != nil, (try? openContext?.session.connection.requireSameFile()) == nil {
            openContext = nil
        }
        let context = try openContext ?? QuakeContext(cache.withOwnWorkers, access: access)
        openContext = nil
        let result = try body(context)
        openContext = context
        return result
    }
}
