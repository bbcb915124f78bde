/// The reason for a change.
public enum ChangeReason: String, CaseIterable, Codable, CodingKeyRepresentable, Sendable {
    /// The quake was not known before.
    case new
    /// The quake was not known before, although an earlier snapshot covered the first hour after its origin time.
    case late
    /// The quake returned after a deletion, with its old local key.
    case restored
    /// An id that belonged to another quake now identifies a separate quake.
    case split
    /// Values changed, but not the preferred id.
    case revised
    /// The preferred id changed, and possibly other values too.
    case renamed
    /// The source no longer lists the quake, and its absence was confirmed.
    case retracted
    /// The source merged the quake into another quake.
    case merged
    /// The quake was removed from the cache on request.
    case purged
    /// A program edited the quake through this library.
    case edited
    /// An earlier transaction was undone.
    case undone
}
