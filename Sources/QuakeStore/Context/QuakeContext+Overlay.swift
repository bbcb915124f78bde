/// Overlays: temporary tables of the context's connection that replace quakes in reads, without changing the cache.
extension QuakeContext {
    /// Creates the tables of `overlay`, or empties existing ones.
    package func create(_ overlay: QuakeOverlay) throws { try overlay.create(in: session.database()) }

    /// Makes reads through `overlay` see `quake` under `key`, or no quake if `quake` is nil.
    package func show(_ quake: Quake?, under key: QuakeKey, in overlay: QuakeOverlay) throws {
        try overlay.set(key, to: quake, in: session.database())
    }

    /// Returns the last values of the deleted quake under `key`; nil if the history no longer contains them.
    package func tombstone(of key: QuakeKey) throws -> Quake? { try session.database().tombstone(of: key) }
}
