public import QuakeModel

/// One change that waits for a save.
public enum PendingChange: Hashable, Sendable {
    /// A quake to be added, or to give its values to the one of the same id.
    case insert(Quake)
    /// New values; `before` is what they were made from.
    case update(StoredQuake, before: Quake)
    case delete(StoredQuake)
    /// Every quake that the filter accepts when it is saved.
    case deleteAll(QuakeFilter)
}

/// What a context has not saved yet, in the order in which it was asked for.
struct PendingChanges {
    private(set) var changes: [PendingChange] = []
    /// Taken back by undo, the last one first to return.
    private(set) var withdrawn: [PendingChange] = []

    mutating func add(_ change: PendingChange) {
        changes.append(change)
        withdrawn = []
    }

    mutating func clear() {
        self = PendingChanges()
    }

    mutating func truncate(to count: Int) {
        changes.removeLast(max(0, changes.count - count))
    }

    /// Takes the last change back; false when there is none.
    mutating func withdraw() -> Bool {
        guard let last = changes.popLast() else { return false }
        withdrawn.append(last)
        return true
    }

    /// Puts back what was taken back last; false when there is nothing.
    mutating func reinstate() -> Bool {
        guard let last = withdrawn.popLast() else { return false }
        changes.append(last)
        return true
    }
}
