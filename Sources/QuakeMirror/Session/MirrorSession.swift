import FoundationEssentials

/// Updates a cache from one document after another, on one thread. The session requests and reads each document, judges
/// its features, and writes the changes along with the new coverage.
///
/// Other sessions may do the same concurrently. Nothing is locked while a session waits for a server or an input: each
/// document is judged within the transaction that writes it, against the contents of the cache at that time.
package struct MirrorSession {
    let context: QuakeContext
    let client: FeedClient
    var endpoint = FeedEndpoint()
    var settings = MirrorSettings()
    /// The event service; nil for none.
    var service: EventService?
    var serviceScope = ServiceScope.everything
    /// The pause and limits of a backfill.
    var limits = BackfillSettings()
    /// Whether to discard all changes.
    var dryRun = false
    /// Whether to skip features whose bytes the cache has already seen. Only tests turn this off, to compare the
    /// results.
    var skipsUnchanged = true
    var observer = MirrorObserver()
    let now: @Sendable () -> Timestamp
    let start = ContinuousClock.now

    /// The cache's records about sources.
    var sources: SourceRecords { context.sources }

    /// Returns the feed that is due.
    ///
    /// - Throws: ``/QuakeStore/StoreError`` when the cache cannot be read.
    package func dueFeed() throws -> FeedName { RefreshSchedule.dueFeed(try sources.feeds(), now: now()) }

    /// Updates the cache from `source`.
    ///
    /// The cache records a failure of a server until the source succeeds.
    ///
    /// - Parameters:
    ///   - source: a feed, a URL, a file or standard input.
    ///   - generated: the publication time of CSV from a file or standard input; nil for the newest update in the CSV.
    /// - Throws: ``/QuakeMirror/FeedError`` when the source is unreadable or not valid, ``/QuakeStore/StoreError`` when
    ///   the cache fails, and `CancellationError` when the task waiting for the session was canceled. In each case the
    ///   quakes are unchanged.
    package func refresh(_ source: FeedSource, generated: Timestamp? = nil) throws -> RefreshReport {
        let result = Result {
            try recordingFailures(of: source.isRemote ? source.feedRecordName(at: endpoint) : nil) {
                if let body = try source.contents() {
                    try applyFeed(read(body, of: source, generated: generated), from: source)
                } else {
                    try download(source)
                }
            }
        }
        if !dryRun { try forgetIdleSources() }
        return try result.get()
    }

    /// Reads `body`, the contents of a file or of standard input.
    private func read(_ body: Data, of source: FeedSource, generated: Timestamp?) throws(FeedError) -> FeedSnapshot {
        let address = source.shownURL(at: endpoint)
        let snapshot = try read(body, from: address, generated: generated)
        if let defect = snapshot.defect(ofFilePublishedAt: generated) { throw .document(defect, source: address) }
        return snapshot
    }

    /// Runs `body`. If a server fails, records the failure for the source called `name`.
    func recordingFailures<Result>(of name: String?, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as FeedError {
            try observer.checkCancellation()
            if !dryRun, let name { try sources.recordFailure(error, of: name, at: now()) }
            throw error
        }
    }

    private func forgetIdleSources() throws {
        for name in IdleSources.names(among: try sources.feeds(), now: now()) {
            _ = try context.forgetFeed(named: name)
        }
    }

    /// Sends one request for `source`, unless the host demanded a pause that is still in force, and applies the
    /// document, if there is a new one.
    private func download(_ source: FeedSource) throws -> RefreshReport {
        let name = source.feedRecordName(at: endpoint)
        let url = source.shownURL(at: endpoint)
        if let pause = try sources.pause(ofHostAt: url, now: now()) { throw pause }
        let known = try sources.record(of: name).validators(for: url)
        observer.report(.requesting(url))
        let response: TransportResponse
        do throws(FeedError) {
            response = try client.fetch(url: source.requestURL(at: endpoint) ?? url, validators: known)
        } catch {
            if !dryRun { try sources.recordPause(error, of: name, url: url) }
            throw error
        }
        switch response.status {
        case 304:
            let validators = response.validators.completed(from: known ?? CacheValidators())
            if !dryRun { try sources.recordSuccess(of: name, validators, url: url, asked: known, at: now()) }
            return try report(.notModified, of: name, from: url)
        case 204:
            // A query may find nothing, but a feed is always a document.
            guard EventEndpoint.isQuery(url) else { throw FeedError.status(204, url: url) }
            if !dryRun { try sources.recordSuccess(of: name, CacheValidators(), url: url, at: now()) }
            return try report(.empty, of: name, from: url)
        default:
            let snapshot = try read(
                response.body, from: url, of: source.requestedFeed, validators: response.validators, date: response.date
            )
            return try applyFeed(snapshot, from: source)
        }
    }

    /// Returns a report on a response without a document.
    private func report(
        _ outcome: RefreshReport.Outcome, of name: String, from address: String
    ) throws -> RefreshReport {
        var report = RefreshReport(outcome, feed: name, source: address, dryRun: dryRun)
        report.token = try context.history.currentToken()
        return report
    }

    private func applyFeed(_ snapshot: FeedSnapshot, from source: FeedSource) throws -> RefreshReport {
        let prepared = try prepare(snapshot)
        let address = source.shownURL(at: endpoint)
        let asksService = service != nil && serviceScope.includes(source, at: endpoint)
        let name = source.isRemote ? source.feedRecordName(at: endpoint) : nil
        return try write(snapshot, as: snapshot.name, from: address) { report, writer in
            let application = try FeedApplication(prepared, settings, sources, writer, now: now())
            return try application.run(
                report, asksService: asksService, download: name.map { .init(feedRecordName: $0, address: address) })
        }
    }

    /// Compares the features of `snapshot` with the cache and decodes them, as far as possible, before the cache is
    /// locked.
    func prepare(_ snapshot: FeedSnapshot) throws -> PreparedFeatures {
        var prepared = try context.snapshot {
            try PreparedFeatures(snapshot, skipsUnchanged: skipsUnchanged, in: sources)
        }
        prepared.decode()
        return prepared
    }
}

// MARK: Whatever the document

extension MirrorSession {
    private static let emptyCollection = Data(#"{"type":"FeatureCollection","features":[]}"#.utf8)

    /// Reads the response to a query. A response without content lists no quakes.
    func read(_ response: TransportResponse, from address: String) throws(FeedError) -> FeedSnapshot {
        let body = response.status == 200 ? response.body : Self.emptyCollection
        return try read(body, from: address, date: response.date)
    }

    /// Reads `body`, received from `address` at the time `date` by the server's clock. `date` is nil for a file, or if
    /// the server gave no time.
    ///
    /// - Parameter generated: the publication time of a CSV document; nil for the newest update in the document.
    func read(
        _ body: Data, from address: String, of feed: FeedName? = nil, validators: CacheValidators = CacheValidators(),
        date: Timestamp? = nil, generated: Timestamp? = nil
    ) throws(FeedError) -> FeedSnapshot {
        do throws(DocumentError) {
            let snapshot = try FeedSnapshot(
                body, source: address, asked: feed, validators: validators, received: date ?? now(),
                generated: generated)
            try requirePlausible(snapshot.published)
            return snapshot
        } catch {
            throw .document(error, source: address)
        }
    }

    /// Throws if an answer of `service` from the time `moment` is more than a day ahead of this machine's clock.
    func requirePlausible(_ moment: Timestamp?, of service: EventService) throws(FeedError) {
        do throws(DocumentError) {
            if let moment { try requirePlausible(moment) }
        } catch {
            throw .document(error, source: service.address)
        }
    }

    /// Throws if a document from the time `moment` is more than a day ahead of this machine's clock (rule 14).
    private func requirePlausible(_ moment: Timestamp) throws(DocumentError) {
        let now = now()
        guard moment > now + .seconds(86_400) else { return }
        throw DocumentError(
            .unsuitable,
            "it was published at \(moment.momentWords), but this machine's clock shows \(now.momentWords)")
    }

    /// Applies `snapshot` in one transaction, then asks the event service about the quakes left unresolved. No request
    /// is ever made inside a transaction.
    ///
    /// - Parameters:
    ///   - name: the name of the source in the history.
    ///   - body: applies the document, and returns the report and the quakes about which the service must decide.
    func write(
        _ snapshot: FeedSnapshot, as name: String, from address: String,
        _ body: (RefreshReport, QuakeWriter) throws -> (report: RefreshReport, open: UnresolvedQuakes)
    ) throws -> RefreshReport {
        let count = snapshot.features.count
        observer.report(.applying(features: count))
        var report = RefreshReport(.applied, feed: name, source: address, dryRun: dryRun)
        report.generated = snapshot.published
        report.features = count
        let origin = TransactionOrigin(
            purpose: name,
            provenance: HistoryTransaction.Provenance(
                url: snapshot.address, generated: snapshot.published, etag: snapshot.validators.etag,
                featureCount: count))
        do {
            let outcome = try context.write(origin, dryRun: dryRun) { [report] writer in
                let applied = try body(report, writer)
                // This is the last chance to cancel without storing anything from the document.
                try observer.checkCancellation()
                return applied
            }
            report = outcome.result.report
            report.transaction = outcome.transaction
            let open = outcome.result.open
            if !dryRun, !open.isEmpty, let service { try resolve(open, with: service, &report) }
        } catch let error as DocumentError {
            throw FeedError.document(error, source: address)
        }
        report.token = try context.history.currentToken()
        return report
    }
}
