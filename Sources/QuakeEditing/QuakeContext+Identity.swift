package import QuakeStore

/// Ids and quakes in the state that a context reads.
extension QuakeContext: IdentityView {
    package func target(ofID id: String) throws -> AliasTarget? {
        guard let key = try key(ofID: id) else { return nil }
        return try unmergedQuake(forKey: key) == nil ? .departed(key: key, sourceTime: 0) : .live(key: key)
    }

    package func knownQuake(_ key: QuakeKey) throws -> KnownQuake? {
        try unmergedQuake(forKey: key).map { KnownQuake(stored: $0, rowSource: RowSource()) }
    }
}
