import QuakeModel

/// A change that has not been saved yet.
package enum PendingChange: Hashable {
    /// A quake to add, or to update if the cache already contains it.
    case insert(Quake)
    /// A quake with its new values. `before` contains the values before the edit.
    case update(StoredQuake, before: Quake)
    /// A quake to delete.
    case delete(StoredQuake)
}
