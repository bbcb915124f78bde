/// One change of one quake, with the states before and after it.
public struct HistoryChange: Hashable, Codable, Sendable {
    /// Permanent and ascending; the order of changes.
    public var id: ChangeID
    /// The transaction it belongs to.
    public var transaction: TransactionNumber
    /// Why, as the mirror understands it.
    public var reason: ChangeReason
    /// The quake's permanent local key.
    public var quakeKey: QuakeKey
    public var effect: Effect

    /// What the change did. Values are those right before and right after it, whatever happened since.
    public enum Effect: Hashable, Codable, Sendable {
        case insert(Quake)
        case update(before: Quake, after: Quake, changed: [QuakeProperty])
        /// The tombstone is the full last state. `mergedInto` is the quake that this one was merged into.
        case delete(tombstone: Quake, mergedInto: QuakeKey?)

        public var kind: ChangeKind {
            switch self {
            case .insert: .insert
            case .update: .update
            case .delete: .delete
            }
        }
    }

    /// A change as the store has recorded it.
    public init(
        id: ChangeID, transaction: TransactionNumber, reason: ChangeReason, quakeKey: QuakeKey, effect: Effect
    ) {
        (self.id, self.transaction, self.reason) = (id, transaction, reason)
        (self.quakeKey, self.effect) = (quakeKey, effect)
    }

    public var kind: ChangeKind { effect.kind }

    /// The state before the change; nil for an insert.
    public var before: Quake? {
        switch effect {
        case .insert: nil
        case .update(let before, _, _): before
        case .delete(let tombstone, _): tombstone
        }
    }

    /// The state after the change; nil for a deletion.
    public var after: Quake? {
        switch effect {
        case .insert(let quake): quake
        case .update(_, let after, _): after
        case .delete: nil
        }
    }

    /// The properties an update changed; empty for the other kinds.
    public var changed: [QuakeProperty] { if case .update(_, _, let changed) = effect { changed } else { [] } }
}

/// What happened to a record, as Core Data's persistent history names it.
public enum ChangeKind: String, CaseIterable, Codable, Sendable {
    case insert, update, delete
}

/// Why it happened, as the mirror understands it.
public enum ChangeReason: String, CaseIterable, Codable, CodingKeyRepresentable, Sendable {
    /// Not known before.
    case new
    /// Not known before, though an earlier snapshot whose window covered its origin time by more than an hour lacked
    /// it.
    case late
    /// Returns after a deletion, under its old local key.
    case restored
    /// An id that belonged to another quake has become one of its own.
    case split
    /// Values differ.
    case revised
    /// The preferred id differs, perhaps values too.
    case renamed
    /// The source no longer lists it, and this was confirmed.
    case retracted
    /// The source merged it into another quake, which remains.
    case merged
    /// Removed here, by request.
    case purged
    /// Changed manually through the library.
    case edited
    /// An earlier transaction was undone.
    case undone
}

/// A property is coded as the feed's name for it.
extension QuakeProperty: Codable {}
