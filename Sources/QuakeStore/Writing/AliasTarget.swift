/// The quake that an id leads to.
package enum AliasTarget: Hashable, Sendable {
    /// A quake in the cache.
    case live(key: QuakeKey)
    /// A deleted quake, whose key is reserved for its return. `generated` is the time of the snapshot that caused the
    /// deletion; 0 if the quake was deleted by a purge, edit or undo.
    case departed(key: QuakeKey, generated: Int64)
}
