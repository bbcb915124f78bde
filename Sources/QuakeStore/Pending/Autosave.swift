/// When a context saves without being asked.
public struct Autosave {
    /// After this many pending changes; nil for never.
    public var operations: Int?
    /// When the context is released with changes pending.
    public var onRelease: Bool
    /// Hears of a save that failed on release, where nobody is left to catch the error.
    public var onFailure: (StoreError) -> Void

    /// Never: changes that nobody saved are dropped with the context.
    public static var off: Autosave { Autosave() }

    /// Saves after `operations` pending changes, on release, or both.
    public init(
        afterOperations operations: Int? = nil, onRelease: Bool = false,
        onFailure: @escaping (StoreError) -> Void = { _ in }
    ) {
        self.operations = operations
        self.onRelease = onRelease
        self.onFailure = onFailure
    }
}

extension QuakeContext {
    func saveWhenDue() throws {
        if let limit = autosave.operations, pending.changes.count >= limit { try save() }
    }

    func saveOnRelease() {
        guard autosave.onRelease, hasChanges else { return }
        do {
            try save()
        } catch let error as StoreError {
            autosave.onFailure(error)
        } catch {
            autosave.onFailure(.contextState("a save on release failed: \(error)"))
        }
    }
}
