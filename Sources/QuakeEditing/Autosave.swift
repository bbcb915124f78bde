public import QuakeStore

/// The conditions under which an editor saves automatically.
public struct Autosave {
    /// The number of pending changes at which to save; nil to save only on release, or never.
    public var operations: Int?
    /// Whether to save pending changes when the editor is released. Inside a snapshot or an enumeration of its context,
    /// the save fails.
    public var onRelease: Bool
    /// The handler for an error in a save on release, which no caller can catch.
    public var onFailure: (StoreError) -> Void

    /// No automatic saves: unsaved changes are discarded with the editor.
    public static var off: Autosave { Autosave() }

    /// Creates conditions for a save after a number of pending changes, on release, or both.
    public init(
        afterOperations operations: Int? = nil, onRelease: Bool = false,
        onFailure: @escaping (StoreError) -> Void = { _ in }
    ) {
        self.operations = operations
        self.onRelease = onRelease
        self.onFailure = onFailure
    }
}
