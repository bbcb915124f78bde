/// The conditions under which an editor saves automatically.
public struct Autosave {
    /// The number of pending changes at which to save; nil to save only on release, or never.
    public var operations: Int?
    /// The handler for the error of a save on release, which no caller can catch; nil to discard the changes that are
    /// pending when the editor is released. Inside a snapshot or an enumeration of its context, such a save fails.
    public var onRelease: ((any Error) -> Void)?

    /// No automatic saves: unsaved changes are discarded with the editor.
    public static var off: Autosave { Autosave() }

    /// Creates conditions for a save after a number of pending changes, on release, or both. Without a handler for the
    /// error of a save on release, such as ``/QuakeStore/StoreError/conflict(quakes:)``, there is no such save.
    public init(afterOperations operations: Int? = nil, onRelease: ((any Error) -> Void)? = nil) {
        self.operations = operations
        self.onRelease = onRelease
    }
}
