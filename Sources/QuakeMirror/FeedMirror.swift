import FoundationEssentials
public import QuakeFeed
public import QuakeModel
public import QuakeStore

/// Keeps a cache faithful to the feeds: fetches a snapshot, finds out what it means, applies it.
public struct FeedMirror {
    private let context: QuakeContext
    private let client: FeedClient
    private let endpoint: FeedEndpoint
    private let settings: MirrorSettings
    private let now: @Sendable () -> Timestamp
    private let service: EventService?

    /// A mirror that writes through `context`.
    ///
    /// - Parameter service: whom to ask before an absence that the feeds confirmed is believed; nil to believe the feeds.
    public init(
        context: QuakeContext, client: FeedClient, endpoint: FeedEndpoint = FeedEndpoint(),
        settings: MirrorSettings = MirrorSettings(), service: EventService? = nil,
        now: @escaping @Sendable () -> Timestamp = { Timestamp.now }
    ) {
        self.context = context
        self.client = client
        self.endpoint = endpoint
        self.settings = settings
        self.service = service
        self.now = now
    }

    /// The feed that is due, when none is named.
    public func dueFeed() throws -> FeedName {
        RefreshSchedule.dueFeed(try context.feeds(), now: now())
    }

    /// Brings the cache up to date with `source`.
    ///
    /// - Parameter dryRun: find out what would change, and keep nothing.
    /// - Throws: ``FeedError`` when the source cannot be had or believed, ``StoreError`` when the cache fails. Either way
    ///   the cache is as it was, but for the note about the failure.
    public func refresh(_ source: FeedSource, dryRun: Bool = false) throws -> RefreshReport {
        var record = try record(of: source)
        if let notBefore = record.notBefore, notBefore > now() {
            throw FeedError.tryLater(notBefore, status: 429, host: HTTPRequest.host(of: source.address(at: endpoint)))
        }
        do {
            var report = try fetchAndApply(source, &record, dryRun: dryRun)
            try settleAbsences(&report)
            report.token = try context.head()
            return report
        } catch let error as FeedError {
            if case .tryLater(let moment, _, _) = error, !dryRun {
                record.notBefore = moment
                try context.save(record)
            }
            throw error
        }
    }

    /// Remembers that `source` failed, in the words of `reason`, until it succeeds.
    public func noteFailure(of source: FeedSource, reason: String) throws {
        guard source.isRemote else { return }
        var record = try record(of: source)
        record.error = reason
        record.errorTime = now()
        try context.save(record)
    }

    private func record(of source: FeedSource) throws -> FeedRecord {
        let name = source.recordName(at: endpoint)
        return try context.feed(named: name) ?? FeedRecord(name: name)
    }

    /// A document, and how to recognise it the next time.
    private struct FeedBody {
        var bytes: Data
        var validators = CacheValidators()
    }

    private enum Fetched {
        case arrived(FeedBody)
        case nothing(RefreshReport.Outcome, CacheValidators)
    }

    private func fetchAndApply(
        _ source: FeedSource, _ record: inout FeedRecord, dryRun: Bool
    ) throws -> RefreshReport {
        switch try fetch(source, record) {
        case .arrived(let body):
            return try apply(body, from: source, dryRun: dryRun)
        case .nothing(let outcome, let validators):
            record.keep(validators, url: source.address(at: endpoint))
            record.succeed(at: now())
            if !dryRun { try context.save(record) }
            return report(outcome, source, dryRun: dryRun)
        }
    }

    private func settleAbsences(_ report: inout RefreshReport) throws {
        guard let service, let generated = report.generated, !report.dryRun, !report.awaiting.isEmpty
        else { return }
        try AbsenceInquiry(
            context: context, service: service, feed: report.feed, generated: generated, now: now()
        ).run(&report)
    }

    private func fetch(_ source: FeedSource, _ record: FeedRecord) throws(FeedError) -> Fetched {
        if let bytes = try source.contents() { return .arrived(FeedBody(bytes: bytes)) }
        let url = source.address(at: endpoint)
        switch try client.fetch(url: url, validators: record.validators(for: url)) {
        case .body(let bytes, _, let validators): return .arrived(FeedBody(bytes: bytes, validators: validators))
        case .notModified(let validators): return .nothing(.notModified, validators)
        case .noContent: return .nothing(.empty, CacheValidators())
        }
    }

    private func apply(_ body: FeedBody, from source: FeedSource, dryRun: Bool) throws -> RefreshReport {
        let address = source.address(at: endpoint)
        do {
            let snapshot = try FeedSnapshot(body.bytes, source: address, asked: source.asked)
            let blank = report(.applied, source, feed: snapshot.name, dryRun: dryRun)
            let generated = snapshot.envelope.generated ?? now()
            guard generated <= now() + .seconds(86_400) else {
                throw DocumentError.fromTheFuture(generated: generated, now: now())
            }
            let digest = snapshot.beginDigest()
            let provenance = HistoryTransaction.Provenance(
                url: source.isRemote ? address : snapshot.envelope.url ?? address, generated: generated,
                etag: body.validators.etag, featureCount: snapshot.features.count)
            let origin = TransactionOrigin(context: snapshot.name, provenance: provenance, digest: digest)
            let finished = try transact(snapshot, origin, generated: generated, report: blank)
            if source.isRemote, !dryRun {
                // Under the name it is asked by: a document may call itself otherwise.
                var asked = try record(of: source)
                if finished.outcome == .applied { asked.keep(body.validators, url: address) }
                asked.succeed(at: now())
                try context.save(asked)
            }
            return finished
        } catch let error as DocumentError {
            throw FeedError.document(error, source: address)
        }
    }

    /// Brings the cache to what `snapshot` means, in one transaction; first with the shortcut, and without it where that misleads.
    private func transact(
        _ snapshot: FeedSnapshot, _ origin: TransactionOrigin, generated: Timestamp, report: RefreshReport
    ) throws -> RefreshReport {
        func attempt(_ settings: MirrorSettings) throws -> RefreshReport {
            let (filled, transaction) = try context.transaction(origin, dryRun: report.dryRun) { writer in
                let feeds = try context.feeds()
                let record = feeds.first { $0.name == snapshot.name } ?? FeedRecord(name: snapshot.name)
                var application = MirrorApplication(
                    snapshot, generated: generated, now: now(), settings: settings, asksService: service != nil,
                    writer: writer, report: report)
                return try application.run(record: record, allFeeds: feeds)
            }
            var finished = filled
            finished.transaction = transaction
            return finished
        }
        do {
            return try attempt(settings)
        } catch is SkippingMisleads {
            var judgingAll = settings
            judgingAll.skipsUnchanged = false
            return try attempt(judgingAll)
        }
    }

    private func report(
        _ outcome: RefreshReport.Outcome, _ source: FeedSource, feed: String? = nil, dryRun: Bool
    ) -> RefreshReport {
        var report = RefreshReport(
            outcome: outcome, feed: feed ?? source.recordName(at: endpoint), source: source.address(at: endpoint))
        report.dryRun = dryRun
        return report
    }
}

extension FeedRecord {
    /// What to recognise the newest snapshot by, when it came from `url`: another server's ETag says nothing.
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
        notBefore = nil
        error = nil
        errorTime = nil
    }
}
