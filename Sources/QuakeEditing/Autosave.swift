/// The conditions under which an editor saves automatically.
public struct Autosave {
    let operations: Int?
    let onRelease: ((any Error) -> Void)?

    /// No automatic saves: unsaved changes are discarded with the editor.
    public static var off: Autosave { Autosave() }

    /// Creates conditions for a save after a number of pending changes, on release, or both.
    ///
    /// - Parameters:
    ///   - operations: the number of pending changes at which to save; nil to save only on release, or never. With a
    ///     number below 1, each change throws ``/QuakeStore/StoreError/outOfRange(_:value:)``.
    ///   - onRelease: the handler for the error of a save on release, such as
    ///     ``/QuakeStore/StoreError/conflict(quakes:)``, which no caller can catch; nil to discard the changes that are
    ///     pending when the editor is released. Inside a snapshot or an enumeration of its context, such a save fails.
    public init(afterOperations operations: Int? = nil, onRelease: ((any Error) -> Void)? = nil) {
        self.operations = operations
        self.onRelease = onRelease
    }
}
