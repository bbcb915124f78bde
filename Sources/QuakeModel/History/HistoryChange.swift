/// A change to a quake, with the states before and after it.
public struct HistoryChange: Hashable, Sendable {
    /// The permanent id of the change. Ids ascend in the order of the changes.
    public var id: ChangeID
    public var transaction: TransactionNumber
    public var reason: ChangeReason
    /// The quake's permanent local key.
    public var quakeKey: QuakeKey
    public var effect: Effect

    /// The effect of a change on a quake, with the quake's values before and after it.
    public enum Effect: Hashable, Sendable {
        case insert(Quake)
        case update(before: Quake, after: Quake, changed: [QuakeProperty])
        /// The tombstone contains the quake's last values; for a net effect, its values before the first change.
        /// `mergedInto` is the key of the quake into which this quake was merged; nil if it was not merged.
        case delete(tombstone: Quake, mergedInto: QuakeKey?)

        package var kind: ChangeKind {
            switch self {
            case .insert: .insert
            case .update: .update
            case .delete: .delete
            }
        }
    }

    package init(
        id: ChangeID, transaction: TransactionNumber, reason: ChangeReason, quakeKey: QuakeKey, effect: Effect
    ) {
        self.id = id
        self.transaction = transaction
        self.reason = reason
        self.quakeKey = quakeKey
        self.effect = effect
    }

    package var kind: ChangeKind { effect.kind }

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

    /// The properties that an update changed; empty for an insert or delete.
    public var changed: [QuakeProperty] { if case .update(_, _, let changed) = effect { changed } else { [] } }
}
