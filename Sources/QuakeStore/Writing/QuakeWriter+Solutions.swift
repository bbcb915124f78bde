extension QuakeWriter {
    /// Stores the solutions from the response to `request`, replacing the stored solutions. If `history` is nil,
    /// records only that the request was made. The cached quake gets the uncertainties of `quake` if both have the same
    /// solution.
    ///
    /// - Parameters:
    ///   - quake: the quake according to the response; nil if unknown.
    ///   - updated: the time of the quake's last change according to the response; nil if unknown.
    ///   - moment: the time of the response by the server's clock.
    package func recordSolutions(
        _ history: SolutionHistory?, of quake: Quake? = nil, answering request: DetailRequest, updated: Timestamp?,
        asOf moment: Timestamp
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
            if let quake { try takeUncertainties(of: quake, for: request.key) }
            // A time in the future would keep the quake from being requested again. A response that was made before the
            // quake's last change does not include that change.
            let told = min(updated ?? request.updated, moment)
            let known = moment >= request.updated ? max(request.updated, told) : told
            try database.run(
                CheckedTable.details.insertion("OR REPLACE"), request.key, moment.milliseconds, known.milliseconds)
            return .stored
        }
    }

    private func takeUncertainties(of record: Quake, for key: QuakeKey) throws {
        guard let known = try knownQuake(key) else { return }
        let cached = known.stored.quake
        var quake = cached
        if record.updated < cached.updated {
            quake.takeUncertainties(from: [cached, record])
        } else {
            quake.takeUncertainties(from: [record, cached])
        }
        guard quake != cached else { return }
        let rowSource = RowSource(sourceTime: known.rowSource.sourceTime)
        try update(known.stored, to: quake, reason: .revised, rowSource: rowSource)
    }
}
