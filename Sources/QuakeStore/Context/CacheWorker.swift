import QuakeSystem

/// A context that runs on its own thread, so that code on any thread can use it.
actor CacheWorker {
    private let executor = ThreadExecutor()
    private var held: QuakeContext?

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Runs `body` with the worker's context. Creates a new context after an error or if the file was replaced.
    func run<Result: Sendable>(
        _ cache: QuakeCache, _ access: StoreConfiguration.Access, _ body: @Sendable (QuakeContext) throws -> Result
    ) throws -> Result {
        try Task.checkCancellation()
        // Keep the context while the file is missing: the file may return, and a new context might create another file.
        if FileIdentity(cache.path) != nil, (try? held?.session.connection.requireSameFile()) == nil { held = nil }
        let context = try held ?? QuakeContext(cache.withOwnWorkers, access: access)
        held = nil
        let result = try body(context)
        held = context
        return result
    }
}
