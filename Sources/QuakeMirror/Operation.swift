import QuakeModel
import QuakeStore

/// One step that brings the cache to what a snapshot means.
enum Operation: Hashable {
    /// A quake the cache does not hold; `key` is that of one that was deleted and returns.
    case insert(Quake, reason: ChangeReason, key: Int64?, aliases: [String])
    /// New values, perhaps a new preferred id.
    case update(StoredQuake, to: Quake, reason: ChangeReason, aliases: [String])
    /// The same values in other bytes.
    case confirm(Int64)
    /// Gone, or another quake's twin.
    case delete(StoredQuake, reason: ChangeReason, mergedInto: Int64?)
    /// News to be remembered until it is confirmed.
    case note(Doubt)
    /// News that was contradicted.
    case drop(Doubt.Kind, key: Int64)
}
