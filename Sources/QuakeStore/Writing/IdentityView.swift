/// The part of a cache that the identity rules use. Tests replace it with a dictionary.
package protocol IdentityView {
    /// Returns the quake that an id leads to; case is ignored.
    func target(ofID id: String) throws -> AliasTarget?
    func knownQuake(_ key: QuakeKey) throws -> KnownQuake?
    /// Returns the last values of the deleted quake under `key`; nil if the history no longer contains them.
    func tombstone(of key: QuakeKey) throws -> Quake?
}
