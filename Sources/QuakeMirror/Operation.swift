/// One change that a snapshot makes to the cache.
enum Operation: Hashable {
    /// Adds a quake the cache does not hold. `key` is that of a deleted quake that returns.
    case insert(Quake, reason: ChangeReason, key: QuakeKey?, aliases: [String])
    /// Gives a quake new values, perhaps a new preferred id.
    case update(StoredQuake, to: Quake, reason: ChangeReason, aliases: [String])
    /// Notes that the quake has the same values in other bytes.
    case confirm(QuakeKey)
    /// Removes a quake that is gone, or that is the same as another one.
    case delete(StoredQuake, reason: ChangeReason, mergedInto: QuakeKey?)
    /// Remembers an unconfirmed change until it is confirmed.
    case note(Doubt)
    /// Forgets an unconfirmed change that was contradicted.
    case drop(Doubt.Kind, key: QuakeKey)
}

extension QuakeWriter {
    /// Performs `operation` and remembers `rowSource` as the source of the row's values.
    ///
    /// - Returns: the local key of an inserted quake.
    @discardableResult
    func perform(_ operation: Operation, _ rowSource: RowSource) throws -> QuakeKey? {
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
