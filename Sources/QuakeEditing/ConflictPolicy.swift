/// The effect of a save on values that have changed since they were fetched, even if by the editor's own earlier save.
public enum ConflictPolicy: Sendable {
    /// The save replaces such values. Other properties keep their newest values.
    case lastWriterWins
    /// The save throws ``/QuakeStore/StoreError/conflict(quakes:)``, and everything stays pending. There is a conflict
    /// over each property that a pending update sets to a value other than the new one in the cache, and over each
    /// quake that a pending deletion deletes. Before another update of a quake that you have saved, fetch it again.
    case fail
}
