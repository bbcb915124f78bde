/// The conditions under which an editor saves automatically.
public struct Autosave {
    let operations: Int?
    let onRelease: ((any Error) -> Void)?

    /// No automatic saves: unsaved changes are discarded with the editor.
    public static var off: Autosave { Autosave() }

    /// Creates conditions for a save after a number of pending changes, when the editor is released, or both.
    ///
    /// - Parameters:
    ///   - operations: the number of pending changes at which to save; nil to save only on release, or never. With a
    ///     number below 1, each change throws ``/QuakeStore/StoreError/outOfRange(_:value:)``.
    ///   - onRelease: called with the error, such as ``/QuakeStore/StoreError/conflict(quakes:)``, if the save on
    ///     release fails, because no caller can catch that error; nil to discard the pending changes on release
    ///     instead. A save on release always fails inside a snapshot or an enumeration of the context.
    public init(afterOperations operations: Int? = nil, onRelease: ((any Error) -> Void)? = nil) {
        self.operations = operations
        self.onRelease = onRelease
    }
}
