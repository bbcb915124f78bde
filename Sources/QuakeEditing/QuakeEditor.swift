// Makes the types in the declarations of this module available with only `import QuakeEditing`.
@_exported public import QuakeModel
@_exported public import QuakeStore

/// Collects changes to the quakes of a context, and saves them as one transaction. It corresponds to `ModelContext` in
/// SwiftData, for a cache whose source of truth is a server.
///
/// An editor's reads include its unsaved changes, filtered, sorted and counted as if they were saved; its context's
/// reads do not. An edit lasts only until a feed overrides it. Quakes are values: to edit one, call ``update(_:_:)``.
///
/// Only one thread at a time may use an editor and its context. An ``Autosave`` that is due runs within the call that
/// adds the change. If it fails, the call throws and the change stays pending.
///
/// In a read-only context, each change throws ``/QuakeStore/StoreError/readOnly(path:)`` immediately. Each method's
/// documentation lists only additional errors.
public final class QuakeEditor {
    /// The context whose quakes are edited.
    public let context: QuakeContext
    /// The conditions for saving without a call to ``save(_:)``; off by default.
    public var autosave = Autosave.off
    /// The effect of a save on values that have changed since they were fetched.
    public var conflictPolicy = ConflictPolicy.lastWriterWins
    /// Called by each save of this editor (``save(_:)``, ``transaction(_:)`` and autosave), on the same thread, just
    /// before the save writes. The handler can read and modify the pending changes of the editor passed to it. What the
    /// handler adds becomes part of the same save; if the save fails, only what the handler changed is discarded. A
    /// ``rollback()`` in the handler cancels the save. The handler itself cannot save.
    ///
    /// A handler that uses its parameter instead of capturing the editor does not keep the editor alive. In a save on
    /// release, it receives another editor with the same changes.
    ///
    /// The handler is not called for a save that changes nothing or fails earlier, for ``undo()`` or ``redo()`` of a
    /// transaction, or for other writes of the context, such as a purge. To observe these writes, use
    /// ``didSaveStream()``.
    public var onWillSave: ((QuakeEditor) -> Void)?

    /// The changes that have not been saved yet.
    var pending = PendingChanges()
    /// The quakes with the pending changes applied, as of the last read.
    var view: PendingView?
    /// The transactions that the context has committed since the editor was created.
    let commits = CommitRecord()

    /// The number of the editor's commit handler, unique among the editors of one context.
    let commitHandlerNumber: Int

    /// Creates an editor without changes. Changes that are still pending when the editor is released are discarded,
    /// unless ``autosave`` has a handler for release. ``QuakeStore/QuakeCache/edit(author:_:)`` itself saves the
    /// changes of its editor.
    public init(_ context: QuakeContext) {
        self.context = context
        commitHandlerNumber = context.addCommitHandler { [commits, unowned context] entry in
            try commits.add(entry, in: context.history)
        }
    }

    deinit {
        saveOnRelease()
        context.removeCommitHandler(commitHandlerNumber)
    }

    /// Discards all pending changes and everything that could be undone or redone, and advances the context's pin.
    /// Settings, and the streams of listeners, remain.
    ///
    /// - Throws: ``/QuakeStore/StoreError/contextState(_:)`` inside a snapshot or transaction.
    public func reset() throws {
        try context.advance()
        rollback()
    }

    /// Returns a stream of the changes committed by each transaction of the context, such as a save, purge or undo. The
    /// stream ends with the editor.
    ///
    /// Transactions that change nothing are omitted. For changes by other contexts and processes, see
    /// ``/QuakeStore/QuakeContext/remoteChanges(after:isCoalesced:every:)``.
    public func didSaveStream() -> AsyncStream<SavedChanges> { commits.didSave.stream() }
}

extension QuakeEditor: CustomDebugStringConvertible {
    /// The context, and the number of pending changes.
    public var debugDescription: String { "QuakeEditor(\(context), \(pending.entries.count) pending)" }
}
