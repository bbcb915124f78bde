/// The quake that an id leads to.
package enum AliasTarget: Hashable, Sendable {
    /// A quake in the cache.
    case live(key: QuakeKey)
    /// A deleted quake, whose key is reserved for its return. `sourceTime` is that of the document that caused the
    /// deletion; 0 if the quake was deleted by a purge, edit or undo.
    case departed(key: QuakeKey, sourceTime: Int64)
}
