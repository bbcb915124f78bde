import Synchronization

/// A context on a thread of its own, for functions that are called from anywhere.
actor CacheWorker {
    private let executor = CacheExecutor()
    private var held: (context: QuakeContext, file: FileIdentity?)?

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Runs `body` with the context. After an error the next call gets a new one: nothing that is pending, and no file
    /// that was replaced, is left in it.
    func run<Result: Sendable>(
        _ cache: QuakeCache, _ access: StoreConfiguration.Access, _ body: @Sendable (QuakeContext) throws -> Result
    ) throws -> Result {
        try Task.checkCancellation()
        if let present = FileIdentity(cache.path), present != held?.file { held = nil }
        let context = try held?.context ?? cache.withOwnWorkers.context(access: access)
        let file = held?.file ?? FileIdentity(cache.path)
        held = nil
        let result = try body(context)
        context.edits.rollback()
        context.autosave = .off
        context.onWillSave = nil
        held = (context, file)
        return result
    }
}

/// The workers of one cache: one that writes, and for each reader at a time another one.
final class CacheWorkers: Sendable {
    /// The idle readers that are kept, each with an open file.
    private static let mostIdle = 4
    let writer = CacheWorker()
    private let idle = Mutex<[CacheWorker]>([])

    /// Calls `body` with a worker that nobody else uses meanwhile.
    func withReader<Result>(_ body: (CacheWorker) async throws -> Result) async rethrows -> Result {
        let worker = idle.withLock { $0.popLast() } ?? CacheWorker()
        defer {
            idle.withLock { if $0.count < CacheWorkers.mostIdle { $0.append(worker) } }
        }
        return try await body(worker)
    }
}
