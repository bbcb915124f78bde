/// The reason for a change.
public enum ChangeReason: String, Codable, CodingKeyRepresentable, Sendable {
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
    /// A reason that this version does not know, in a change encoded by a later version.
    case other
}

extension ChangeReason: CaseIterable {
    /// The reasons that this version records: all except ``other``.
    public static let allCases: [ChangeReason] = [
        .new, .late, .restored, .split, .revised, .renamed, .retracted, .merged, .purged, .edited, .undone,
    ]
}

extension ChangeReason {
    /// Decodes a reason; an unknown one as ``other``.
    public init(from decoder: any Decoder) throws {
        self = Self(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .other
    }
}
