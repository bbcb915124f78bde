/// A quake in a cache: its values and the local key that stays with it whatever id it is published under.
public struct StoredQuake: Hashable, Sendable, Identifiable {
    /// Permanent within one cache; survives renames, deletion and return.
    public let key: Int64
    /// What the feed published.
    public var quake: Quake

    /// A quake under its local key.
    public init(key: Int64, quake: Quake) {
        self.key = key
        self.quake = quake
    }

    /// The local key, by which a list tells quakes apart.
    public var id: Int64 { key }
}
