extension MirrorSession {
    /// Requests the quakes deleted since the last such request, and asks about the ids in question
    /// (``/QuakeStore/IDInQuestion``). Returns nil if nothing was requested.
    ///
    /// - Parameter reach: how long before the last response the quakes may have happened.
    func askForDeletions(reach: Duration) throws -> RefreshReport? {
        guard let service else { return nil }
        let name = service.deletionsFeedRecordName
        let backfilled = try sources.coverage().backfilledTimes
        return try recordingFailures(of: name) { () -> RefreshReport? in
            do {
                // Deletions missed while the service failed are requested now, although their quakes are older by now.
                let last = try sources.record(of: name).sourceTime
                let start = min(last ?? now(), now()) - reach
                let days = RangeSet(start..<now() - .seconds(2 * 86_400))
                let report =
                    days.subtracting(backfilled).isEmpty
                    ? nil : try deletions(by: service, since: last, originTimesFrom: start)
                try sources.recordDeletions(in: name, until: report?.generated, at: now())
                // If there are backfills, their daily update asks about the ids in question instead.
                return try backfilled.isEmpty ? askAboutIDs(of: service, after: report) : report
            } catch let error as FeedError {
                try sources.recordPause(error, of: service.feedRecordName)
                // A service that does not report its deletions can still answer about single ids.
                if case .status = error, backfilled.isEmpty { _ = try askAboutIDs(of: service, after: nil) }
                throw error
            }
        }
    }

    private func deletions(
        by service: EventService, since last: Timestamp?, originTimesFrom start: Timestamp
    ) throws -> RefreshReport? {
        // Changes may be published hours after their timestamp.
        let since = last.map { max(start, $0 - RequestedRange.overlap) } ?? start
        guard let response = try service.deletions(since: since, originTimesFrom: start) else { return nil }
        let snapshot = try read(response, from: service.address)
        let deleted = snapshot.deletedFeatures()
        return try write(snapshot, as: "deletions", from: service.address) { report, writer in
            let application = DeletionApplication(sourceTime: snapshot.sourceTime, deleted: deleted, writer: writer)
            return try application.run(report)
        }
    }
}

extension Coverage {
    /// The origin times that backfills cover, with or without conditions. The daily update fetches all changes in these
    /// times.
    fileprivate var backfilledTimes: RangeSet<Timestamp> {
        covered.filter(\.source.isFromBackfill).reduce(into: RangeSet()) { $0.formUnion($1.times) }
    }
}
