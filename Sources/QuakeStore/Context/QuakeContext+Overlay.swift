/// Overlays of quakes in temporary tables of the context's connection, which show quakes with other values.
extension QuakeContext {
    /// Creates the tables of `overlay`, or empties them.
    package func create(_ overlay: QuakeOverlay) throws { try overlay.create(in: session.database()) }

    /// Shows `quake` under `key` in the overlay, or no quake if nil.
    package func show(_ quake: Quake?, under key: QuakeKey, in overlay: QuakeOverlay) throws {
        try overlay.set(key, to: quake, in: session.database())
    }

    /// Returns the last values of the deleted quake under `key`; nil if the history no longer contains them.
    package func tombstone(of key: QuakeKey) throws -> Quake? { try session.database().tombstone(of: key) }
}
