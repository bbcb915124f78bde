import FoundationEssentials
public import QuakeFeed
import QuakeHTTP
public import QuakeModel
import QuakeStore

/// Refreshes one cache, source after source, on one thread: fetches a snapshot, finds out what it means, and applies
/// it.
///
/// ``FeedMirror`` makes it, and holds the lock of the cache as long as it lasts.
public struct RefreshSession {
    private let context: QuakeContext
    private let client: FeedClient
    private let endpoint: FeedEndpoint
    private let settings: MirrorSettings
    private let now: @Sendable () -> Timestamp
    private let service: EventService?
    private let serviceScope: ServiceScope
    /// Whether features are skipped whose bytes the cache has seen. Only tests turn it off, to compare the results.
    private let skipsUnchanged: Bool
    /// Whether the cache was created for this session.
    private let discardsUnused: Bool
    private let observer: MirrorObserver<RefreshProgress>

    init(
        context: QuakeContext, client: FeedClient, endpoint: FeedEndpoint = FeedEndpoint(),
        settings: MirrorSettings = MirrorSettings(), service: EventService? = nil,
        serviceScope: ServiceScope = .everything, skipsUnchanged: Bool = true, discardsUnused: Bool = false,
        observer: MirrorObserver<RefreshProgress> = MirrorObserver(), now: @escaping @Sendable () -> Timestamp
    ) {
        self.context = context
        self.client = client
        self.endpoint = endpoint
        self.settings = settings
        self.service = service
        self.serviceScope = serviceScope
        self.skipsUnchanged = skipsUnchanged
        self.discardsUnused = discardsUnused
        self.observer = observer
        self.now = now
    }

    /// Removes a cache that was created for this session if nothing was kept in it: a first refresh that failed leaves
    /// none. Where that is not possible, an empty cache stays, which does no harm.
    package func discardIfUnused() {
        if discardsUnused { try? context.discardIfUnused() }
    }

    /// The feed that is due, when none is named.
    ///
    /// - Throws: ``/QuakeStore/StoreError`` when the cache cannot be read.
    public func dueFeed() throws -> FeedName {
        RefreshSchedule.dueFeed(try context.feeds(), now: now())
    }

    /// Brings the cache up to date with `source`.
    ///
    /// A source that fails is noted in the cache as failed, until it succeeds.
    ///
    /// - Parameters:
    ///   - source: a feed, an address, a file or standard input.
    ///   - dryRun: find out what would change, and keep nothing.
    /// - Throws: ``/QuakeFeed/FeedError`` when the source cannot be read or is not valid,
    ///   ``/QuakeStore/StoreError`` when the cache fails, and `CancellationError` when the task that waits for the
    ///   session was cancelled. In each case the quakes are unchanged.
    public func refresh(_ source: FeedSource, dryRun: Bool = false) throws -> RefreshReport {
        do {
            let report = try apply(try fetch(source, dryRun: dryRun), of: source, dryRun: dryRun)
            if let fault = report.serviceFault, !observer.isCancelled() {
                try noteServiceFailure(reason: observer.describe(fault))
            }
            if !dryRun { try forgetIdleSources() }
            return report
        } catch let error as FeedError {
            try observer.checkCancellation()
            // What is no address is no source that could be asked again.
            if case .transport(.unsupportedURL) = error { throw error }
            if !dryRun {
                try noteFailure(of: source, reason: observer.describe(error))
                try forgetIdleSources()
            }
            throw error
        }
    }

    private func apply(_ fetched: Fetched, of source: FeedSource, dryRun: Bool) throws -> RefreshReport {
        switch fetched {
        case .nothing(let outcome):
            return RefreshReport(
                outcome: outcome, feed: source.recordName(at: endpoint), source: source.address(at: endpoint),
                dryRun: dryRun, token: try context.head())
        case .document(let body, let validators):
            let snapshot = try read(body, from: source)
            observer.report(.applying(features: snapshot.features.count))
            let applied = try apply(snapshot, from: source, validators, dryRun: dryRun)
            let inquiry = dryRun ? nil : try ask(about: applied, of: snapshot, from: source)
            return RefreshReport(
                applied, inquiry, of: snapshot, source: source.address(at: endpoint), dryRun: dryRun,
                token: try context.head())
        }
    }

    /// Forgets the sources that nobody asks any more (``IdleSources``).
    private func forgetIdleSources() throws {
        for name in IdleSources.names(among: try context.feeds(), now: now()) {
            _ = try context.forgetFeed(named: name)
        }
    }

    /// Remembers that `source` failed because of `reason`, until it succeeds.
    func noteFailure(of source: FeedSource, reason: String) throws {
        guard source.isRemote else { return }
        var record = try record(of: source)
        record.error = reason
        record.errorTime = now()
        try context.save(record)
    }

    /// Remembers that the event service could not be asked because of `reason`, until it can.
    private func noteServiceFailure(reason: String) throws {
        guard let service else { return }
        var record = try context.feed(named: service.recordName) ?? FeedRecord(name: service.recordName)
        record.error = reason
        record.errorTime = now()
        try context.save(record)
    }

    /// The event service, if it is asked about what is missing from the document at `source`.
    private func service(for source: FeedSource) -> EventService? {
        serviceScope.includes(source, at: endpoint) ? service : nil
    }

    private func record(of source: FeedSource) throws -> FeedRecord {
        let name = source.recordName(at: endpoint)
        return try context.feed(named: name) ?? FeedRecord(name: name)
    }
}

// MARK: Fetching

extension RefreshSession {
    fileprivate enum Fetched {
        case document(Data, CacheValidators)
        case nothing(RefreshReport.Outcome)
    }

    fileprivate func fetch(_ source: FeedSource, dryRun: Bool) throws -> Fetched {
        if let body = try source.contents() { return .document(body, CacheValidators()) }
        return try download(source, dryRun: dryRun)
    }

    /// Sends one request, unless the host asked for a pause that is not over.
    private func download(_ source: FeedSource, dryRun: Bool) throws -> Fetched {
        let url = source.address(at: endpoint)
        if let pause = try pause(ofHostAt: url) {
            throw FeedError(pause, of: url)
        }
        var record = try record(of: source)
        observer.report(.requesting(url))
        do {
            switch try client.fetch(
                url: source.requestAddress(at: endpoint) ?? url, validators: record.validators(for: url))
            {
            case .body(let body, _, let validators): return .document(body, validators)
            case .notModified(let validators):
                record.keep(validators, url: url)
                record.succeed(at: now())
                if !dryRun { try context.save(record) }
                return .nothing(.notModified)
            case .noContent:
                record.keep(CacheValidators(), url: url)
                record.succeed(at: now())
                if !dryRun { try context.save(record) }
                return .nothing(.empty)
            }
        } catch {
            guard let pause = (error as? FeedError)?.pause else { throw error }
            if record.url != url { record.keep(CacheValidators(), url: url) }
            record.pause = pause
            if !dryRun { try context.save(record) }
            throw error
        }
    }

    /// The pause that the host of `url` asked for, in whichever feed's answer; nil when there is none.
    private func pause(ofHostAt url: String) throws -> FeedRecord.Pause? {
        let host = HTTPRequest.host(of: url)
        let now = now()
        return try context.feeds().filter { $0.url.map(HTTPRequest.host) == host }.compactMap(\.pause)
            .filter { $0.end > now }.max { $0.end < $1.end }
    }
}

// MARK: Applying

extension RefreshSession {
    private func read(_ body: Data, from source: FeedSource) throws(FeedError) -> FeedSnapshot {
        let address = source.address(at: endpoint)
        do throws(DocumentError) {
            let snapshot = try FeedSnapshot(body, source: address, asked: source.asked)
            let now = now()
            if let generated = snapshot.envelope.generated, generated > now + .seconds(86_400) {
                throw .fromTheFuture(generated: generated, now: now)
            }
            return snapshot
        } catch {
            throw .document(error, source: address)
        }
    }

    /// Brings the cache to what `snapshot` means, in one transaction.
    private func apply(
        _ snapshot: FeedSnapshot, from source: FeedSource, _ validators: CacheValidators, dryRun: Bool
    ) throws -> AppliedSnapshot {
        let address = source.address(at: endpoint)
        let generated = snapshot.envelope.generated ?? now()
        let provenance = HistoryTransaction.Provenance(
            url: source.isRemote ? address : snapshot.envelope.url ?? address, generated: generated,
            etag: validators.etag, featureCount: snapshot.features.count)
        let origin = TransactionOrigin(
            context: snapshot.name, provenance: provenance, digest: snapshot.beginDigest())
        do {
            let outcome = try context.write(origin, dryRun: dryRun) { writer in
                let application = SnapshotApplication(
                    snapshot, from: source.isRemote ? address : snapshot.envelope.url ?? address, generated: generated,
                    now: now(), settings: settings, asksService: service(for: source) != nil,
                    skipsUnchanged: skipsUnchanged, writer: writer)
                let applied = try application.run(feeds: try context.feeds())
                // The last moment at which nothing of the snapshot need be kept.
                try observer.checkCancellation()
                return applied
            }
            var applied = outcome.result
            applied.transaction = outcome.transaction
            if source.isRemote, !dryRun { try noteSuccess(of: source, applied.isOlder ? nil : validators) }
            return applied
        } catch let error as DocumentError {
            throw FeedError.document(error, source: address)
        }
    }

    /// Remembers the answer under the name it was asked by: the document may give another one.
    private func noteSuccess(of source: FeedSource, _ validators: CacheValidators?) throws {
        var record = try record(of: source)
        if let validators { record.keep(validators, url: source.address(at: endpoint)) }
        record.succeed(at: now())
        try context.save(record)
    }

    private func ask(
        about applied: AppliedSnapshot, of snapshot: FeedSnapshot, from source: FeedSource
    ) throws -> InquiryResult? {
        guard let service = service(for: source), !applied.awaitingService.isEmpty else { return nil }
        observer.report(.asking(quakes: applied.awaitingService.count))
        let inquiry = ServiceInquiry(
            context: context, service: service, feed: snapshot.name, generated: applied.generated, now: now())
        return try inquiry.run(about: applied.awaitingService)
    }
}

extension FeedRecord {
    /// What recognises the newest snapshot, when it came from `url`: another server's ETag says nothing.
    fileprivate func validators(for url: String) -> CacheValidators? {
        self.url == url ? CacheValidators(etag: etag, lastModified: lastModified) : nil
    }

    fileprivate mutating func keep(_ validators: CacheValidators, url: String) {
        etag = validators.etag
        lastModified = validators.lastModified
        self.url = url
    }

    fileprivate mutating func succeed(at moment: Timestamp) {
        checked = moment
        pause = nil
        error = nil
        errorTime = nil
    }
}
