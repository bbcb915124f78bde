import Synchronization

extension StoredQuake {
    /// The first key that an unsaved quake can have, which is far greater than any key in a cache.
    static let firstTemporaryKey = QuakeKey(1 << 62)

    /// Whether the quake has not been saved yet. A temporary key is valid only in the editor that issued it, and leads
    /// to the saved quake after a save.
    public var isTemporary: Bool { key.isTemporary }
}

extension QuakeKey {
    private static let issued = Atomic(StoredQuake.firstTemporaryKey.rawValue)

    var isTemporary: Bool { self >= StoredQuake.firstTemporaryKey }

    /// Returns a temporary key that this process has not used yet, so that no editor mistakes a key of another editor
    /// for its own.
    static func nextTemporary() -> QuakeKey { QuakeKey(issued.add(1, ordering: .relaxed).oldValue) }
}
