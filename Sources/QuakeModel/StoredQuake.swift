/// A quake in a cache: its values and the local key that stays with it whatever id it is published under.
public struct StoredQuake: Hashable, Sendable, Identifiable {
    /// Permanent within one cache; survives renames, deletion and return.
    public let key: Int64
    public var quake: Quake

    /// A quake under its local key.
    public init(key: Int64, quake: Quake) {
        self.key = key
        self.quake = quake
    }

    public var id: Int64 { key }
}
