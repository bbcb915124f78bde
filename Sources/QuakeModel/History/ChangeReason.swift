/// What happened to a record, as Core Data's persistent history names it.
public enum ChangeKind: String, CaseIterable, Sendable {
    case insert, update, delete
}

/// Why it happened, as the mirror understands it.
public enum ChangeReason: String, CaseIterable, Sendable {
    /// Not known before.
    case new
    /// Not known before, though an earlier snapshot whose window covered its origin time by more than an hour lacked it.
    case late
    /// Returns after a deletion, under its old local key.
    case restored
    /// An id that belonged to another quake has become one of its own.
    case split
    /// Values differ.
    case revised
    /// The preferred id differs, perhaps values too.
    case renamed
    /// The source no longer lists it, and the doubt was confirmed.
    case retracted
    /// The source counts it as another quake, which goes on.
    case merged
    /// Removed here, by request.
    case purged
    /// Made by hand through the library.
    case edited
    /// An earlier transaction taken back.
    case undone
}
