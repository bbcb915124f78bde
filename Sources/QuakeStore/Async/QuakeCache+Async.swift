/// Reading and writing from any task. The work is done on threads of the cache, so that no task waits for the disk.
extension QuakeCache {
    /// Reads with a context of the cache's own: every read in `body` sees one state. Any number of readers run at the
    /// same time, even while somebody writes.
    ///
    /// - Throws: what `body` throws, ``StoreError/contextState(_:)`` for edits that it leaves pending, which only
    ///   ``write(author:_:)`` saves, and `CancellationError` if the task is canceled before its turn; `body` itself is
    ///   not interrupted.
    public func read<Result: Sendable>(
        _ body: @escaping @Sendable (QuakeContext) throws -> Result
    ) async throws -> Result {
        try await workers.withReader { worker in
            try await worker.run(self, .reading) { context in
                try context.snapshot {
                    let result = try body(context)
                    guard !context.edits.hasChanges else {
                        throw StoreError.contextState("edits in a read, which saves nothing")
                    }
                    return result
                }
            }
        }
    }

    /// Writes with a context of the cache's own: everything that `body` does is kept together, or nothing.
    ///
    /// Nobody else writes while `body` runs, so what it has read is still true when it writes. What it leaves pending
    /// is saved at its end. The file is created where there is none. Another process that writes is waited for as long
    /// as ``StoreConfiguration/busyTimeout`` says.
    ///
    /// - Parameters:
    ///   - author: recorded with the transaction.
    ///   - body: edits with the context that it is given. Its streams, its pin and its undo stack are gone afterward.
    /// - Throws: what `body` throws, and `CancellationError` if the task is canceled before its turn.
    @discardableResult
    public func write<Result: Sendable>(
        author: String = "library", _ body: @escaping @Sendable (QuakeContext) throws -> Result
    ) async throws -> Result {
        try await workers.writer.run(self, .creating) { context in
            context.author = author
            return try context.inTransaction(.writing) {
                try Task.checkCancellation()
                let result = try body(context)
                try context.edits.save()
                return result
            }
        }
    }
}
