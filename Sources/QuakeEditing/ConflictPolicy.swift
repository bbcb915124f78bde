/// The effect of a save on values that somebody else changed after the editor's program had read them.
public enum ConflictPolicy: Sendable {
    /// The save replaces them. Other properties keep the values of the other writer.
    case lastWriterWins
    /// The save throws ``/QuakeStore/StoreError/conflict(quakes:)``, and everything stays pending. There is a conflict
    /// over each property that somebody else has set to one value and a pending update to another, and over each quake
    /// that somebody else has changed and a pending deletion deletes.
    case fail
}
