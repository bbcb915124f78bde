/// One change that a snapshot makes to the cache.
indirect enum Operation: Hashable {
    /// Adds a quake that the cache does not hold. `key` is the key of a deleted quake that returns; nil for a new
    /// quake.
    case insert(Quake, reason: ChangeReason, key: QuakeKey?, aliases: [String])
    /// Updates a quake's values, and possibly its preferred id.
    case update(StoredQuake, to: Quake, reason: ChangeReason, aliases: [String])
    /// Confirms a quake whose values are unchanged, although the bytes of its feature differ.
    case confirm(QuakeKey)
    /// Removes a quake that is gone or has been merged into another.
    case delete(StoredQuake, reason: ChangeReason, mergedInto: QuakeKey?)
    /// Records an unconfirmed change.
    case recordUnconfirmed(UnconfirmedChange)
    /// Drops an unconfirmed change that was confirmed or contradicted, or has expired
    /// (``ConfirmationRules/operationsDroppingExpired``).
    case drop(UnconfirmedChange.Kind, key: QuakeKey)
}
