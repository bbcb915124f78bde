import FoundationEssentials

/// Updates one cache from one document after another, on one thread. It requests and reads each document, judges its
/// features, and writes the changes along with the new coverage.
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

    /// The cache's records about servers.
    var log: SourceLog { SourceLog(context: context, now: now) }

    /// Returns the feed that is due.
    ///
    /// - Throws: ``/QuakeStore/StoreError`` when the cache cannot be read.
    package func dueFeed() throws -> FeedName { RefreshSchedule.dueFeed(try context.sources.feeds(), now: now()) }

    /// Updates the cache from `source`.
    ///
    /// The cache records a failed source as failed until it succeeds.
    ///
    /// - Parameter source: a feed, an address, a file or standard input.
    /// - Throws: ``/QuakeMirror/FeedError`` when the source is unreadable or not valid, ``/QuakeStore/StoreError`` when
    ///   the cache fails, and `CancellationError` when the task waiting for the session was canceled. In each case the
    ///   quakes are unchanged.
    package func refresh(_ source: FeedSource) throws -> RefreshReport {
        let result = Result {
            try noting(failuresOf: source.isRemote ? source.recordName(at: endpoint) : nil) {
                try ask(for: source)
            }
        }
        if !dryRun { try log.forgetIdleSources() }
        return try result.get()
    }

    /// Fetches what `request` calls for from the event service, window by window.
    func backfill(_ request: BackfillRequest) throws -> BackfillReport {
        guard let service else { preconditionFailure("a session for a backfill has an event service") }
        return try noting(failuresOf: service.recordName) {
            var backfill = try Backfill(request, by: service, in: self)
            return try backfill.run()
        }
    }

    /// Runs `body`. If a server fails, records the failure for the source called `name`.
    func noting<Result>(failuresOf name: String?, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as FeedError {
            try observer.checkCancellation()
            if !dryRun, let name { try log.noteFailure(error, of: name) }
            throw error
        }
    }

    /// Fetches `source` and applies it to the cache.
    private func ask(for source: FeedSource) throws -> RefreshReport {
        switch try fetch(source) {
        case .nothing(let outcome, let name, let address):
            var report = RefreshReport(outcome, feed: name, source: address, dryRun: dryRun)
            report.token = try context.history.head()
            return report
        case .document(let answer):
            let asksService = service != nil && serviceScope.includes(source, at: endpoint)
            let address = source.address(at: endpoint)
            let prepared = try prepare(answer)
            return try apply(answer, as: answer.document.name, from: address) { report, writer in
                let applied = try FeedApplication(answer, prepared, in: self, writer: writer).run(
                    report, asksService: asksService, isDownload: source.isRemote)
                // The document may use a different name for its source than the request did.
                if source.isRemote {
                    let validators = applied.report.outcome == .older ? nil : answer.validators
                    try log.noteSuccess(of: source.recordName(at: endpoint), validators, url: address)
                }
                return applied
            }
        }
    }

    /// Fetches `window` from the event service and applies it to the cache. Returns nil if this run has no requests
    /// left.
    ///
    /// - Parameter counted: the number of quakes that the service counted before. A response with a different number of
    ///   quakes does not count as coverage.
    func ask(for window: CatalogRange, counted: Int) throws -> RefreshReport? {
        let answer = try patiently(mayShrink: true) { service throws(FeedError) in
            try self.answer(to: window, service)
        }
        return try answer.map { answer in
            let prepared = try prepare(answer)
            let deleted = answer.document.deletedFeatures()
            return try apply(answer, as: "catalog", from: answer.address) { report, writer in
                let application = try WindowApplication(
                    answer, prepared, of: window, counted: counted, deleted: deleted, in: self, writer: writer)
                return (try application.run(report), OpenCases())
            }
        }
    }

    /// Compares the features of `answer` with the cache and decodes them, before the cache is locked.
    private func prepare(_ answer: Response) throws -> PreparedFeatures {
        let sources = context.sources
        var prepared = try context.snapshot {
            try PreparedFeatures(
                answer.document, window: answer.window, skipsUnchanged: skipsUnchanged, in: sources)
        }
        prepared.decode()
        return prepared
    }
}

// MARK: Fetching

extension MirrorSession {
    private enum Fetched {
        case document(Response)
        /// The server at `address` has no document, or no new one.
        case nothing(RefreshReport.Outcome, name: String, address: String)
    }

    private func fetch(_ source: FeedSource) throws -> Fetched {
        guard let body = try source.contents() else { return try download(source) }
        var answer = try read(body, from: source.address(at: endpoint), date: nil)
        if let url = answer.document.envelope.url { answer.address = url }
        return .document(answer)
    }

    /// Sends one request, unless the host demanded a pause that is still in force.
    private func download(_ source: FeedSource) throws -> Fetched {
        let name = source.recordName(at: endpoint)
        let url = source.address(at: endpoint)
        if let pause = try log.pause(ofHostAt: url) { throw pause }
        let known = try log.record(of: name).validators(for: url)
        observer.report(.requesting(url))
        let outcome: FetchOutcome
        do throws(FeedError) {
            outcome = try client.fetch(url: source.requestAddress(at: endpoint) ?? url, validators: known)
        } catch {
            if !dryRun { try log.notePause(error, of: name, url: url) }
            throw error
        }
        switch outcome {
        case .body(let body, _, let validators, let date):
            return .document(try read(body, from: url, of: source.asked, validators: validators, date: date))
        case .notModified(let validators):
            if !dryRun { try log.noteSuccess(of: name, validators, url: url, asked: known) }
            return .nothing(.notModified, name: name, address: url)
        case .noContent:
            // A query may find nothing, but a feed is always a document.
            guard EventEndpoint.isQuery(url) else { throw FeedError.status(204, url: url) }
            if !dryRun { try log.noteSuccess(of: name, CacheValidators(), url: url) }
            return .nothing(.empty, name: name, address: url)
        }
    }

    /// Returns the response of `service`; nil if this run may send no more requests.
    private func answer(
        to window: CatalogRange, _ service: EventService
    ) throws(FeedError) -> Response? {
        guard let outcome = try service.answer(to: window.query) else { return nil }
        let answer = try read(outcome, from: service.address(of: window.query))
        guard answer.document.isWhole else {
            let found = answer.document.features.count
            let said = answer.document.envelope.count ?? 0
            throw .document(
                DocumentError(.broken, "it has \(found) features but claims to have \(said)"), source: service.address)
        }
        return answer
    }

    /// Reads the response to a query. A response without content lists no quakes.
    func read(_ outcome: FetchOutcome, from address: String) throws(FeedError) -> Response {
        switch outcome {
        case .body(let body, _, _, let date): return try read(body, from: address, date: date)
        case .noContent(let date): return try read(Self.emptyCollection, from: address, date: date)
        case .notModified: return try read(Self.emptyCollection, from: address, date: nil)
        }
    }

    private static let emptyCollection = Data(#"{"type":"FeatureCollection","features":[]}"#.utf8)

    /// Reads `body`, received from `address` at `date` by the server's clock.
    private func read(
        _ body: Data, from address: String, of feed: FeedName? = nil, validators: CacheValidators = CacheValidators(),
        date: Timestamp?
    ) throws(FeedError) -> Response {
        do throws(DocumentError) {
            let document = try FeedSnapshot(body, source: address, asked: feed)
            let response = Response(
                document: document, address: address, validators: validators, date: date, now: now())
            try requirePlausible(response.published)
            return response
        } catch {
            throw .document(error, source: address)
        }
    }

    /// Throws if an answer of `service`, made at `moment`, is from more than a day ahead of this machine's clock.
    func requirePlausible(_ moment: Timestamp?, of service: EventService) throws(FeedError) {
        do throws(DocumentError) {
            if let moment { try requirePlausible(moment) }
        } catch {
            throw .document(error, source: service.address)
        }
    }

    /// Throws if a document made at `moment` is from more than a day ahead of this machine's clock (rule 14).
    private func requirePlausible(_ moment: Timestamp) throws(DocumentError) {
        let now = now()
        guard moment > now + .seconds(86_400) else { return }
        throw DocumentError(
            .unsuitable,
            "it was generated at \(moment.momentWords), but this machine's clock shows \(now.momentWords)")
    }
}

// MARK: Applying

extension MirrorSession {
    /// The report on a document, and the quakes about which the event service must decide.
    typealias Applied = (report: RefreshReport, open: OpenCases)

    /// Applies `answer` to the cache in one transaction, then queries the event service about quakes left unresolved.
    /// No request is ever made inside a transaction.
    ///
    /// - Parameters:
    ///   - name: the name of the source in the history.
    ///   - body: the code that applies the document.
    func apply(
        _ answer: Response, as name: String, from address: String,
        _ body: (RefreshReport, QuakeWriter) throws -> Applied
    ) throws -> RefreshReport {
        let count = answer.document.features.count
        observer.report(.applying(features: count))
        var report = RefreshReport(.applied, feed: name, source: address, dryRun: dryRun)
        report.generated = answer.published
        report.features = count
        let origin = TransactionOrigin(
            purpose: name,
            provenance: HistoryTransaction.Provenance(
                url: answer.address, generated: answer.published, etag: answer.validators.etag, featureCount: count))
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
            if !dryRun, !open.isEmpty, let service { try ask(service, about: open, &report) }
        } catch let error as DocumentError {
            throw FeedError.document(error, source: address)
        }
        report.token = try context.history.head()
        return report
    }
}

extension FeedSnapshot {
    /// Whether the actual number of features matches the document's own count.
    var isWhole: Bool { envelope.count.map { $0 == features.count } ?? true }
}
