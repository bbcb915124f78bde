/// Overlays of quakes in temporary tables of the context's connection, which show quakes with other values.
extension QuakeContext {
    /// Creates the tables of `overlay`, or empties them.
    package func create(_ overlay: QuakeOverlay) throws { try overlay.create(in: session.database()) }

    /// Shows `quake` under `key` in the overlay, or no quake if nil.
    package func show(_ quake: Quake?, under key: QuakeKey, in overlay: QuakeOverlay) throws {
        try overlay.set(key, to: quake, in: session.database())
    }

    /// Returns the keys of the quakes that the overlay changes, sorted.
    package func keys(in overlay: QuakeOverlay) throws -> [QuakeKey] {
        try session.database().all("SELECT key FROM \(overlay.touched) ORDER BY key") { $0.key(0) }
    }

    /// Returns the quakes that the filter accepts, ordered by key.
    package func quakes(acceptedBy filter: QuakeFilter, over overlay: QuakeOverlay) throws -> [StoredQuake] {
        var quakes: [StoredQuake] = []
        let query = try source(over: overlay).byKey(FilterSQL(filter, in: session.database()))
        try forEach(query) { quakes.append(StoredQuake(key: $0.key(0), quake: $0.quake(from: 1))) }
        return quakes
    }

    /// Returns the last values of the deleted quake under `key`; nil if the history no longer contains them.
    package func tombstone(of key: QuakeKey) throws -> Quake? { try session.database().tombstone(of: key) }
}
