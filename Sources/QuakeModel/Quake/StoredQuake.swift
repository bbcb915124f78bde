/// A quake in a cache: its values, and its local key, which stays the same if the published id changes.
public struct StoredQuake: Hashable, Sendable, Identifiable, Codable {
    /// The local key, permanent within one cache. It survives renaming, deletion and restoration.
    public let key: QuakeKey
    public let quake: Quake

    public init(key: QuakeKey, quake: Quake) {
        self.key = key
        self.quake = quake
    }

    public var id: QuakeKey { key }
}
