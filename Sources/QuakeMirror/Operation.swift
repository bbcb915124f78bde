import QuakeModel
import QuakeStore

/// One step that brings the cache to what a snapshot means.
enum Operation: Hashable {
    /// Adds a quake the cache does not hold. `key` is that of a deleted quake that returns.
    case insert(Quake, reason: ChangeReason, key: Int64?, aliases: [String])
    /// Gives a quake new values, perhaps a new preferred id.
    case update(StoredQuake, to: Quake, reason: ChangeReason, aliases: [String])
    /// Notes that the quake has the same values in other bytes.
    case confirm(Int64)
    /// Removes a quake that is gone, or that is the same as another one.
    case delete(StoredQuake, reason: ChangeReason, mergedInto: Int64?)
    /// Remembers doubtful news until it is confirmed.
    case note(Doubt)
    /// Forgets doubtful news that was contradicted.
    case drop(Doubt.Kind, key: Int64)
}

extension QuakeWriter {
    /// Performs `operation` and remembers `rowSource` as the source of the row's values.
    ///
    /// - Returns: the local key of an inserted quake.
    @discardableResult
    func perform(_ operation: Operation, _ rowSource: RowSource) throws -> Int64? {
        switch operation {
        case .insert(let quake, let reason, let key, let aliases):
            return try insert(quake, reason: reason, key: key, aliases: aliases, rowSource: rowSource)
        case .update(let stored, let quake, let reason, let aliases):
            try update(stored, to: quake, reason: reason, rowSource: rowSource)
            for alias in aliases { try assign(alias: alias, to: stored.key) }
        case .confirm(let key): try confirm(key, rowSource)
        case .delete(let stored, let reason, let survivor):
            try delete(stored, reason: reason, mergedInto: survivor, generated: rowSource.generated)
        case .note(let doubt): try note(doubt)
        case .drop(let kind, let key): try drop(kind, of: key)
        }
        return nil
    }
}

/// How many quakes operations touched.
struct OperationCounts {
    /// Quakes inserted, by reason.
    private(set) var inserted: [ChangeReason: Int] = [:]
    /// Quakes updated, by reason.
    private(set) var updated: [ChangeReason: Int] = [:]
    /// Quakes deleted, by reason.
    private(set) var deleted: [ChangeReason: Int] = [:]
    /// Quakes confirmed in other bytes.
    private(set) var confirmed = 0
    /// Features with doubtful news.
    private(set) var doubtful = 0

    /// Counts what `operations` do, all of them steps of one feature.
    mutating func add(_ operations: [Operation]) {
        for operation in operations {
            switch operation {
            case .insert(_, let reason, _, _): inserted[reason, default: 0] += 1
            case .update(_, _, let reason, _): updated[reason, default: 0] += 1
            case .delete(_, let reason, _): deleted[reason, default: 0] += 1
            case .confirm: confirmed += 1
            case .note, .drop: break
            }
        }
        let isDoubtful = operations.contains { if case .note(let doubt) = $0 { doubt.kind != .absent } else { false } }
        if isDoubtful { doubtful += 1 }
    }

    /// Adds the changes of `other`: inserts, updates and deletions.
    mutating func addChanges(of other: OperationCounts) {
        inserted.merge(other.inserted, uniquingKeysWith: +)
        updated.merge(other.updated, uniquingKeysWith: +)
        deleted.merge(other.deleted, uniquingKeysWith: +)
    }
}
