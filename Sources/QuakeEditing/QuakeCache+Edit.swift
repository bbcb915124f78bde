public import QuakeStore

extension QuakeCache {
    /// Runs `body` with an editor, and saves its changes when `body` returns. Either everything that `body` does is
    /// committed, or nothing is.
    ///
    /// No other writer runs meanwhile, so data that `body` reads is still current when the changes are saved. To record
    /// a purpose or get the transaction, call ``QuakeEditor/save(_:)`` last. The file is created if it does not exist.
    ///
    /// - Parameters:
    ///   - author: the author recorded with the transaction; nil for
    ///     ``/QuakeStore/StoreConfiguration/program``.
    ///   - body: edits the cache. The editor's streams and undo stack end with the call.
    /// - Throws: any error that `body` throws, and `CancellationError` at once if the task is canceled while it waits
    ///   for its turn.
    @discardableResult
    public func edit<Result: Sendable>(
        author: String? = nil, _ body: @escaping @Sendable (QuakeEditor) throws -> Result
    ) async throws -> Result {
        try await write(author: author) { context in
            let editor = QuakeEditor(context)
            // A handler that captures its editor would keep the editor on the shared context. If the body fails, its
            // changes are not saved on release, either.
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
