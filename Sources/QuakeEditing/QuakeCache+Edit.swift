public import QuakeStore

extension QuakeCache {
    /// Runs `body` with an editor, and saves its changes when `body` returns. Either all changes are committed, or
    /// none.
    ///
    /// No other writer runs meanwhile, so data that `body` reads is still current when the changes are saved. To record
    /// a purpose or get the transaction, call ``QuakeEditor/save(_:)`` last. The file is created if it does not exist.
    ///
    /// - Parameters:
    ///   - author: the author recorded with the transaction; nil for
    ///     ``/QuakeStore/StoreConfiguration/program``.
    ///   - body: edits the cache. The editor's streams and undo stack end with the call.
    /// - Throws: any error that `body` throws, and `CancellationError` immediately if the task is canceled while it
    ///   waits for its turn.
    @discardableResult
    public func edit<Result: Sendable>(
        author: String? = nil, _ body: @escaping @Sendable (QuakeEditor) throws -> Result
    ) async throws -> Result {
        try await write(author: author) { context in
            let editor = QuakeEditor(context)
            // Remove the handlers: `onWillSave` may capture the editor and so keep it alive on the shared context, and
            // autosave on release must not save the changes of a failed body.
            defer {
                editor.onWillSave = nil
                editor.autosave = .off
            }
            let result = try body(editor)
            try editor.save()
            return result
        }
    }
}
