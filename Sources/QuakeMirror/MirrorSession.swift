import FoundationEssentials

/// Brings one cache up to date, document after document, on one thread: asks for each, reads it, finds out what it
/// means, writes that together with what the cache holds from then on, and reports.
///
/// Other sessions may do the same meanwhile. Nothing is locked while it waits for a server or an input: what a document
/// means is found out inside the transaction that writes it, from what the cache holds by then.
public struct MirrorSession {
    let context: QuakeContext
    let client: FeedClient
    var endpoint = FeedEndpoint()
    var settings = MirrorSettings()
    /// The event service; nil to ask none.
    var service: EventService?
    var serviceScope = ServiceScope.everything
    /// How long a backfill may take, and how many requests.
    var limits = BackfillSettings()
    /// Whether nothing is kept.
    var dryRun = false
    /// Whether features are skipped whose bytes the cache has seen. Only tests turn it off, to compare the results.
    var skipsUnchanged = true
    var observer = MirrorObserver()
    let now: @Sendable () -> Timestamp
    let start = ContinuousClock.now

    /// What the cache remembers of servers.
    var log: SourceLog { SourceLog(context: context, now: now) }

    /// The feed that is due, when none is named.
    ///
    /// - Throws: ``/QuakeStore/StoreError`` when the cache cannot be read.
    public func dueFeed() throws -> FeedName { RefreshSchedule.dueFeed(try context.sources.feeds(), now: now()) }

    /// Brings the cache up to date with `source`.
    ///
    /// A source that fails is noted in the cache as failed, until it succeeds.
    ///
    /// - Parameter source: a feed, an address, a file or standard input.
    /// - Throws: ``/QuakeMirror/FeedError`` when the source cannot be read or is not valid,
    ///   ``/QuakeStore/StoreError`` when the cache fails, and `CancellationError` when the task that waits for the
    ///   session was canceled. In each case the quakes are unchanged.
    public func refresh(_ source: FeedSource) throws -> RefreshReport {
        let result = Result {
            try noting(failuresOf: source.isRemote ? source.recordName(at: endpoint) : nil) {
                try ask(for: source)
            }
        }
        if !dryRun { try log.forgetIdleSources() }
        return try result.get()
    }

    /// Brings what `request` asks for from the event service, window by window.
    func backfill(_ request: BackfillRequest) throws -> BackfillReport {
        guard let service else { preconditionFailure("a session for a backfill has an event service") }
        return try noting(failuresOf: service.recordName) {
            var backfill = try Backfill(request, by: service, in: self)
            return try backfill.run()
        }
    }

    /// Runs `body`. If a server fails, the cache records it for the source called `name`.
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
            return try apply(answer, as: answer.document.name, from: address) { report, writer in
                let applied = try FeedApplication(answer, in: self, writer: writer).run(
                    report, asksService: asksService, isDownload: source.isRemote)
                // The document may give itself another name than the one it was asked by.
                if source.isRemote {
                    let validators = applied.report.outcome == .older ? nil : answer.validators
                    try log.noteSuccess(of: source.recordName(at: endpoint), validators, url: address)
                }
                return applied
            }
        }
    }

    /// Fetches `window` from the event service and applies it to the cache. Nil if this run has no requests left.
    ///
    /// - Parameter counted: how many quakes the service counted in it before: an answer with fewer is not claimed.
    func ask(for window: CatalogRange, counted: Int) throws -> RefreshReport? {
        let asked = now()
        let answer = try patiently(mayShrink: true) { service throws(FeedError) in
            try self.answer(to: window, service, asked)
        }
        return try answer.map { answer in
            try apply(answer, as: "catalog", from: answer.address) { report, writer in
                let application = try WindowApplication(
                    answer, of: window, counted: counted, in: self, writer: writer)
                return (try application.run(report), [])
            }
        }
    }
}

// MARK: Fetching

extension MirrorSession {
    private enum Fetched {
        case document(Response)
        /// The server at `address` has no document, or none that is new.
        case nothing(RefreshReport.Outcome, name: String, address: String)
    }

    private func fetch(_ source: FeedSource) throws -> Fetched {
        let asked = now()
        guard let body = try source.contents() else { return try download(source, asked: asked) }
        var answer = try read(body, from: source.address(at: endpoint), asked: asked)
        if let url = answer.document.envelope.url { answer.address = url }
        return .document(answer)
    }

    /// Sends one request, unless the host asked for a pause that is not over.
    private func download(_ source: FeedSource, asked: Timestamp) throws -> Fetched {
        let (name, url) = (source.recordName(at: endpoint), source.address(at: endpoint))
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
        case .body(let body, _, let validators):
            return .document(try read(body, from: url, of: source.asked, validators: validators, asked: asked))
        case .notModified(let validators):
            if !dryRun { try log.noteSuccess(of: name, validators, url: url, asked: known) }
            return .nothing(.notModified, name: name, address: url)
        case .noContent:
            // A service may find nothing; a feed is always a document.
            guard EventEndpoint.isQuery(url) else { throw FeedError.status(204, url: url) }
            if !dryRun { try log.noteSuccess(of: name, CacheValidators(), url: url) }
            return .nothing(.empty, name: name, address: url)
        }
    }

    /// The answer of `service`; nil when this run may send no more requests.
    private func answer(
        to window: CatalogRange, _ service: EventService, _ asked: Timestamp
    ) throws(FeedError) -> Response? {
        guard let outcome = try service.answer(to: window.query) else { return nil }
        var (body, date) = (Data(#"{"type":"FeatureCollection","features":[]}"#.utf8), Timestamp?.none)
        switch outcome {
        case .body(let received, _, _): body = received
        case .noContent(let moment): date = moment
        case .notModified: break
        }
        let answer = try read(body, from: service.address(of: window.query), date: date, asked: asked)
        guard answer.document.isWhole else {
            let (found, said) = (answer.document.features.count, answer.document.envelope.count ?? 0)
            throw .document(
                DocumentError(.broken, "it has \(found) features but claims \(said)"), source: service.address)
        }
        return answer
    }

    /// Reads `body`, which came from `address` at `date` by the clock of the server.
    private func read(
        _ body: Data, from address: String, of feed: FeedName? = nil, validators: CacheValidators = CacheValidators(),
        date: Timestamp? = nil, asked: Timestamp
    ) throws(FeedError) -> Response {
        do throws(DocumentError) {
            let document = try FeedSnapshot(body, source: address, asked: feed)
            // Without either the clock of this machine counts, which may be wrong.
            let (published, now) = (document.envelope.generated ?? date ?? asked, now())
            guard published <= now + .seconds(86_400) else {
                throw DocumentError(
                    .unsuitable,
                    "it was generated at \(published.momentWords), but this machine's clock shows \(now.momentWords)")
            }
            return Response(
                document: document, address: address, validators: validators, published: published, asked: asked)
        } catch {
            throw .document(error, source: address)
        }
    }
}

// MARK: Applying

extension MirrorSession {
    /// What a document did, and the keys of the quakes about which the event service is to be asked.
    typealias Applied = (report: RefreshReport, awaitingService: [QuakeKey])

    /// Brings the cache to what `answer` means, in one transaction, and then asks the event service what it leaves
    /// open: no request is ever made inside a transaction.
    ///
    /// - Parameters:
    ///   - name: the name of the source in the history.
    ///   - body: what the document says.
    private func apply(
        _ answer: Response, as name: String, from address: String,
        _ body: (RefreshReport, QuakeWriter) throws -> Applied
    ) throws -> RefreshReport {
        let count = answer.document.features.count
        observer.report(.applying(features: count))
        var report = RefreshReport(.applied, feed: name, source: address, dryRun: dryRun)
        (report.generated, report.features) = (answer.published, count)
        let origin = TransactionOrigin(
            context: name,
            provenance: HistoryTransaction.Provenance(
                url: answer.address, generated: answer.published, etag: answer.validators.etag, featureCount: count))
        do {
            let outcome = try context.write(origin, dryRun: dryRun) { [report] writer in
                let applied = try body(report, writer)
                // The last moment at which nothing of the document need be kept.
                try observer.checkCancellation()
                return applied
            }
            report = outcome.result.report
            report.transaction = outcome.transaction
            let open = outcome.result.awaitingService
            if !dryRun, !open.isEmpty, let service {
                try ask(service, about: open, asOf: answer.asOf, &report)
            }
        } catch let error as DocumentError {
            throw FeedError.document(error, source: address)
        }
        report.token = try context.history.head()
        return report
    }
}

extension FeedSnapshot {
    /// Whether it has as many features as it says.
    var isWhole: Bool { envelope.count.map { $0 == features.count } ?? true }
}
