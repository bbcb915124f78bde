/// A request to the event service for a quake's earlier solutions.
package struct DetailRequest: Hashable, Sendable {
    package let key: QuakeKey
    package let id: String
    /// The quake's ``/QuakeModel/Quake/updated`` time. The response will reflect all changes up to this time.
    package let updated: Timestamp
    /// Whether the quake was never requested, or has changed since the last request.
    package let isDue: Bool
}

extension QuakeContext {
    /// Returns every stored version of the quake's solutions; nil if they were never requested, the service had none,
    /// or the quake was deleted.
    ///
    /// A pin to a time of publication hides versions published later. Other pins have no effect.
    public func solutions(ofKey key: QuakeKey) throws -> SolutionHistory? {
        guard try savedQuake(forKey: key) != nil else { return nil }
        var history = try SolutionHistory(ofKey: key, in: database())
        if let moment = try settledGeneration()?.place.published { history = history.until(moment) }
        return history == SolutionHistory() ? nil : history
    }

    /// Returns the keys of the existing quakes whose solutions were requested, sorted.
    package func solvedKeys() throws -> [QuakeKey] {
        try database().all("SELECT quake FROM main.details WHERE quake IN (SELECT key FROM main.quakes) ORDER BY quake")
        { $0.key(0) }
    }

    /// Returns requests for the quakes with `keys`, or for all quakes requested before if `keys` is nil.
    package func detailRequests(ofKeys keys: [QuakeKey]?) throws -> [DetailRequest] {
        let database = try database()
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

/// What the cache did with a response about a quake's solutions.
package enum DetailReception: Sendable {
    case stored
    case quakeIsGone
    /// The response was made before the one that the cache has, and changes nothing.
    case isOlder
}

extension QuakeWriter {
    /// Stores the response to `request`, replacing the previous one. Without a history, records only that the request
    /// was made.
    ///
    /// - Parameters:
    ///   - updated: when the quake was last changed, according to the response.
    ///   - moment: the time of the response by the server's clock.
    package func note(
        _ history: SolutionHistory?, answering request: DetailRequest, updated: Timestamp?, asOf moment: Timestamp
    ) throws -> DetailReception {
        try writing {
            let exists = try database.integer("SELECT EXISTS (SELECT 1 FROM quakes WHERE key = ?)", request.key)
            guard exists == 1 else { return .quakeIsGone }
            let earlier = try database.integer("SELECT asked FROM details WHERE quake = ?", request.key)
            if let earlier, earlier > moment.milliseconds { return .isOlder }
            if let history {
                try database.run("DELETE FROM products WHERE quake = ?", request.key)
                try history.insert(ofKey: request.key, into: database)
            }
            // A time in the future would keep the quake from being requested again. A response that was made before the
            // quake's last change does not include that change.
            let told = min(updated ?? request.updated, moment)
            let known = moment >= request.updated ? max(request.updated, told) : told
            try database.run(
                CheckedTable.details.insertion("OR REPLACE"), request.key, moment.milliseconds, known.milliseconds)
            return .stored
        }
    }
}

extension Database {
    /// Deletes the solutions of quakes that are neither in the cache nor in the retained history.
    func dropForgottenDetails() throws {
        for table in ["details", "products"] {
            try run(
                """
                DELETE FROM \(table) WHERE quake NOT IN (SELECT key FROM quakes)
                    AND quake NOT IN (SELECT quake FROM changes)
                """)
        }
    }
}
