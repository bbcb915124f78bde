/// The quake that an id leads to.
package enum AliasTarget: Hashable, Sendable {
    /// A quake in the cache.
    case live(key: QuakeKey)
    /// A deleted quake, whose key is reserved for its return. `sourceTime` is the source time
    /// (``FeedRecord/sourceTime``) of the document that deleted it, in epoch milliseconds; 0 after a purge, edit or
    /// undo.
    case departed(key: QuakeKey, sourceTime: Int64)
}
