/// The effect of a save on values that have changed since they were fetched, even if by the editor's own earlier save.
public enum ConflictPolicy: Sendable {
    /// The save overwrites values that others have changed. Properties without a pending change keep their newest
    /// values.
    case lastWriterWins
    /// The save throws ``/QuakeStore/StoreError/conflict(quakes:)``, and everything stays pending. A pending update
    /// conflicts if a property that it sets has since changed to a different value in the cache; a pending deletion
    /// conflicts with any change to its quake. Your own earlier save counts, too: fetch a quake again before you update
    /// it again.
    case fail
}
