extension QuakeWriter {
    /// Stores the response to `request`, replacing the previous one. Without a history, records only that the request
    /// was made.
    ///
    /// - Parameters:
    ///   - updated: when the quake was last changed, according to the response.
    ///   - moment: the time of the response by the server's clock.
    package func recordSolutions(
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
