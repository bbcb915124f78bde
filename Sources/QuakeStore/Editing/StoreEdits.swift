/// The edits of one context: changes that wait for a save, the save, and what can be undone.
///
/// What is asked for waits for ``save(_:)``. Reads return what is saved; what is pending they return only where the
/// descriptor asks for it: ``/QuakeModel/QuakeDescriptor/includesPending``.
///
/// The source of truth of a mirror is its server: what is inserted, updated or deleted by hand lasts until a feed says
/// otherwise. Quakes are values that the context does not watch: to change one, hand the changed copy to
/// ``update(_:to:)``.
///
/// An ``Autosave`` that is due saves within the call. When that save fails the call throws its error, and the change is
/// pending all the same: the next change, or a call of ``save(_:)``, tries again.
public struct StoreEdits {
    let context: QuakeContext

    /// When changes are saved without a call of ``save(_:)``. Off by default.
    public var autosave: Autosave {
        get { context.autosave }
        nonmutating set { context.autosave = newValue }
    }

    /// Called with everything pending by each ``save(_:)`` that changes anything, on its thread and before its commit:
    /// when it returns, the save continues. A change that it makes is part of that save, for which it is not called
    /// again; a ``rollback()`` cancels the save. It cannot save itself.
    public var onWillSave: (([PendingChange]) -> Void)? {
        get { context.onWillSave }
        nonmutating set { context.onWillSave = newValue }
    }
}

extension QuakeContext {
    /// The changes of quakes that are not saved yet, saving them, and undo.
    public var edits: StoreEdits { StoreEdits(context: self) }
}
