// Fetching and applying one window of a backfill.

extension MirrorSession {
    /// Fetches `window` from the event service, with the uncertainties of its quakes if they are requested, and applies
    /// the response to the cache in one transaction. Returns nil if this run has too few requests left.
    ///
    /// - Parameter counted: the number of quakes that the service counted before. A response with a different number of
    ///   quakes does not count as coverage.
    func fetch(_ window: RequestedRange, counted: Int) throws -> RefreshReport? {
        guard let snapshot = try download(window) else { return nil }
        let prepared = try prepare(snapshot)
        let deleted = snapshot.deletedFeatures()
        return try write(snapshot, as: "catalog", from: snapshot.address) { report, writer in
            let application = try WindowApplication(
                prepared, of: window, counted: counted, deleted: deleted, settings, sources, writer)
            return (try application.run(report), UnresolvedQuakes())
        }
    }

    private func download(_ window: RequestedRange) throws -> FeedSnapshot? {
        let quakes = try retrying(mayShrink: true) { service throws(FeedError) in
            service.requestsLeft >= window.requestsPerWindow ? try downloadQuakes(window.query, from: service) : nil
        }
        guard var quakes, window.hasUncertainties, !quakes.features.isEmpty, service?.refusalOfCSV == nil else {
            return quakes
        }
        do {
            let rows = try retrying(mayShrink: true) { service throws(FeedError) in
                try downloadUncertainties(window.query, from: service)
            }
            guard let rows else { return nil }
            quakes.addUncertainties(from: rows)
        } catch let error as FeedError where error.isAboutDocument {
            // The quakes are kept up to date without their uncertainties; the run fails at its end.
            service?.refusalOfCSV = error
        }
        return quakes
    }

    private func downloadQuakes(_ query: CatalogQuery, from service: EventService) throws(FeedError) -> FeedSnapshot? {
        guard let response = try service.response(to: query) else { return nil }
        let snapshot = try read(response, from: service.shownURL(of: query))
        guard !snapshot.isCSV else {
            throw .document(.notAFeatureCollection(found: "CSV"), source: service.address)
        }
        guard snapshot.isWhole else {
            let found = snapshot.features.count
            let said = snapshot.envelope.count ?? 0
            throw .document(
                DocumentError(.broken, "it has \(found) quakes but claims to have \(said)"), source: service.address)
        }
        return snapshot
    }

    private func downloadUncertainties(
        _ query: CatalogQuery, from service: EventService
    ) throws(FeedError) -> FeedSnapshot? {
        var query = query
        query.format = .csv
        guard let response = try service.uncertainties(for: query) else { return nil }
        let snapshot = try read(response, from: service.shownURL(of: query))
        guard response.status != 200 || snapshot.isCSV else {
            throw .document(.noUncertainties("format=csv was answered with GeoJSON"), source: service.address)
        }
        guard !snapshot.missingProperties.isSuperset(of: QuakeProperty.uncertainties) else {
            throw .document(.noUncertainties("its CSV has no column for them"), source: service.address)
        }
        return snapshot
    }
}

extension FeedError {
    fileprivate var isAboutDocument: Bool { if case .document = self { true } else { false } }
}
