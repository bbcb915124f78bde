extension QuakeContext {
    /// Returns every stored version of the quake's solutions; nil if they were never requested, the service had none,
    /// or the quake was deleted.
    ///
    /// A pin to a time of publication hides versions published later. Other pins have no effect.
    public func solutions(ofKey key: QuakeKey) throws -> SolutionHistory? {
        guard try unmergedQuake(forKey: key) != nil else { return nil }
        var history = try SolutionHistory(ofKey: key, in: session.database())
        if let moment = session.heldGeneration?.position.published { history = history.until(moment) }
        return history == SolutionHistory() ? nil : history
    }

    /// Returns the keys of the existing quakes whose solutions were requested, sorted.
    package func solvedKeys() throws -> [QuakeKey] {
        try session.database().all(
            "SELECT quake FROM main.details WHERE quake IN (SELECT key FROM main.quakes) ORDER BY quake"
        ) { $0.key(0) }
    }

    /// Returns requests for the quakes with `keys`, or for all quakes requested before if `keys` is nil.
    package func detailRequests(ofKeys keys: [QuakeKey]?) throws -> [DetailRequest] {
        let database = try session.database()
        return try (keys ?? solvedKeys()).compactMap { key in
            try database.first(
                """
                SELECT net || code, q.updated, d.updated IS NULL OR d.updated < q.updated
                FROM main.quakes q LEFT JOIN main.details d ON d.quake = q.key WHERE q.key = ?
                """, key
            ) { row in
                DetailRequest(
                    key: key, id: row.text(0), updated: row.timestamp(1), isDue: row.integer(2) != 0)
            }
        }
    }
}
