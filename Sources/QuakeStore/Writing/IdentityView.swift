/// The parts of a cache that ``FeatureIdentity`` uses. Tests use a dictionary instead.
package protocol IdentityView {
    /// Returns the quake that an id leads to, ignoring case; nil for an unknown id.
    func target(ofID id: String) throws -> AliasTarget?
    func knownQuake(_ key: QuakeKey) throws -> KnownQuake?
    /// Returns the last values of the deleted quake under `key`; nil if the history no longer contains them.
    func tombstone(of key: QuakeKey) throws -> Quake?
}
