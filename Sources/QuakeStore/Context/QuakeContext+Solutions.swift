extension QuakeContext {
    /// Returns every stored version of the quake's solutions; nil if the quake was deleted, if its solutions were never
    /// requested, or if the event service had none.
    ///
    /// A pin to a time of publication hides versions published later. Other pins hide no versions.
    public func solutions(ofKey key: QuakeKey) throws -> SolutionHistory? {
        guard try unmergedQuake(forKey: key) != nil else { return nil }
        var history = try SolutionHistory(ofKey: key, in: session.database())
        if let moment = session.heldGeneration?.position.published { history = history.until(moment) }
        return history == SolutionHistory() ? nil : history
    }

    /// Returns the keys of the quakes in the cache whose solutions were requested, sorted.
    package func keysWithSolutions() throws -> [QuakeKey] {
        try session.database().all(
            "SELECT quake FROM main.details WHERE quake IN (SELECT key FROM main.quakes) ORDER BY quake"
        ) { $0.key(0) }
    }

    /// Returns a request for the solutions of each quake with one of `keys` or, if `keys` is nil, of each quake whose
    /// solutions were requested before.
    package func detailRequests(ofKeys keys: [QuakeKey]?) throws -> [DetailRequest] {
        let database = try session.database()
        return try (keys ?? keysWithSolutions()).compactMap { key in
            try database.first(
                """
                SELECT net || code, q.updated, d.updated IS NULL OR d.updated < q.updated,
                    EXISTS (SELECT 1 FROM main.products p WHERE p.quake = q.key)
                FROM main.quakes q LEFT JOIN main.details d ON d.quake = q.key WHERE q.key = ?
                """, key
            ) { row in
                DetailRequest(
                    key: key, id: row.text(0), updated: row.timestamp(1), isDue: row.integer(2) != 0,
                    hasSolutions: row.integer(3) != 0)
            }
        }
    }
}
