/// One change of one quake, with the state it led to.
public struct HistoryChange: Hashable, Sendable {
    /// Permanent and ascending; the order of changes.
    public var id: Int64
    /// The transaction it belongs to.
    public var transaction: Int64
    /// Why, as the mirror understands it.
    public var reason: ChangeReason
    /// The quake's permanent local key.
    public var quakeKey: Int64
    /// What it did.
    public var effect: Effect

    /// What the change did. Values are those right before and right after it, whatever happened since.
    public enum Effect: Hashable, Sendable {
        case insert(Quake)
        case update(before: Quake, after: Quake, changed: [QuakeProperty])
        /// The tombstone: the full last state, and the quake that goes on where this one was merged into it.
        case delete(tombstone: Quake, mergedInto: Int64?)

        /// Insert, update or delete.
        public var kind: ChangeKind {
            switch self {
            case .insert: .insert
            case .update: .update
            case .delete: .delete
            }
        }
    }

    /// A change as the store has recorded it.
    public init(id: Int64, transaction: Int64, reason: ChangeReason, quakeKey: Int64, effect: Effect) {
        self.id = id
        self.transaction = transaction
        self.reason = reason
        self.quakeKey = quakeKey
        self.effect = effect
    }

    /// Insert, update or delete.
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
    public var changed: [QuakeProperty] {
        if case .update(_, _, let changed) = effect { changed } else { [] }
    }
}
