/// Applies a feed, a query response or a file: its features, the quakes it no longer lists, and the origin times that
/// it lists completely.
struct FeedApplication {
    /// The request that a server answered with the document.
    struct Download {
        /// The name under which the cache records the source.
        let feedRecordName: String
        /// The URL, without credentials.
        let address: String
    }

    private let prepared: PreparedFeatures
    private let settings: MirrorSettings
    private let sources: SourceRecords
    private let writer: QuakeWriter
    private let now: Timestamp
    /// The cache's record of the feed before this snapshot.
    private let record: FeedRecord?
    private let feeds: [FeedRecord]
    private var snapshot: FeedSnapshot { prepared.snapshot }
    /// The time of the snapshot, by which snapshots are ordered (rule 10).
    private var sourceTime: Timestamp { snapshot.sourceTime }
    /// The origin times that the snapshot covers, if it is a summary feed.
    private var window: ClosedRange<Timestamp>? { snapshot.window }
    /// The origin times that the snapshot lists completely, if it is a query response.
    private var completeTimes: ClosedRange<Timestamp>? {
        snapshot.isCSV
            ? nil
            : UnfilteredQuery(address: snapshot.address)?
                .completeTimes(generated: snapshot.published, featureCount: snapshot.features.count)
    }

    /// - Parameter now: the time by this machine's clock.
    init(
        _ prepared: PreparedFeatures, _ settings: MirrorSettings, _ sources: SourceRecords, _ writer: QuakeWriter,
        now: Timestamp
    ) throws {
        self.prepared = prepared
        self.settings = settings
        self.sources = sources
        self.writer = writer
        self.now = now
        feeds = try sources.feeds()
        record = feeds.first { $0.name == prepared.snapshot.name }
    }

    /// Whether the snapshot lists no quakes although some are to be expected. An hour without quakes is rare but
    /// possible; a week without quakes is not.
    private var isSuspectlyEmpty: Bool {
        guard let feed = snapshot.feed, snapshot.features.isEmpty else { return false }
        return feed.band.conditions != nil && feed.period >= .week
    }

    /// How much newer the last applied snapshot of the same feed is (rule 10); nil if it is not newer.
    private var outdatedBy: Duration? {
        (record?.sourceTime).flatMap { $0 > sourceTime ? $0 - sourceTime : nil }
    }

    /// Applies the snapshot to the cache.
    ///
    /// - Parameters:
    ///   - asksService: whether confirmed absences wait for the event service.
    ///   - download: the request; nil for a file. A snapshot older than the last applied one is ignored if it comes
    ///     from a server, which must be lagging; from a file, it is applied as an old document.
    /// - Returns: the report, and the quakes to request from the service.
    /// - Throws: ``DocumentError`` when the document is not valid.
    func run(
        _ report: RefreshReport, asksService: Bool, download: Download?
    ) throws -> (report: RefreshReport, open: UnresolvedQuakes) {
        var report = report
        report.lag = outdatedBy
        if outdatedBy != nil, let download {
            report.outcome = .older
            try sources.updateFeed(download.feedRecordName) { $0.succeed(at: now) }
            return (report, UnresolvedQuakes())
        }
        let facts = SnapshotFacts(
            sourceTime: sourceTime, window: window,
            countsAbsences: (snapshot.feed?.isComplete ?? false) && snapshot.isWhole && !isSuspectlyEmpty
                && feeds.allSatisfy { $0.isService || ($0.sourceTime ?? .distantPast) < sourceTime },
            coveredBefore: feeds.compactMap(\.coverage).filter { $0.upperBound <= sourceTime },
            listing: DocumentListing(
                isComplete ? .complete : .partial, wouldList: wouldList,
                isWhole: { [snapshot] in snapshot.isWhole && !snapshot.hasNamelessFeature }
            ) { [snapshot] in
                snapshot.lowercasedIDs()
            }, missingProperties: snapshot.missingProperties, ambiguousFeatures: asksService ? .askService : .useIDs)
        let prepared = try prepared.updated(from: sources)
        var features = try SnapshotTransaction(prepared, facts, settings, report, writer: writer)
        try features.run(expected: window)
        if !snapshot.isWhole { features.report.ignoredAbsenceReasons.append(.countMismatch) }
        if isSuspectlyEmpty { features.report.ignoredAbsenceReasons.append(.emptyFeed) }
        var open = UnresolvedQuakes()
        // Nothing counts as absent from CSV.
        if !snapshot.isCSV, features.report.hasUnknownFeature {
            features.report.ignoredAbsenceReasons.append(.unreadableFeature)
        } else if let certain = facts.certainWindow {
            let covered = prepared.fingerprints.lazy.filter { certain.contains($0.originTime) }.map(\.key)
            let absences = try features.applyAbsences(among: Array(covered))
            if absences.isSuspect { features.report.ignoredAbsenceReasons.append(.massDisappearance) }
            features.report.missing = absences.unconfirmed
            open.absentKeys = absences.awaitingService
        }
        try writer.settleIDs(listedIn: snapshot, skipped: features.report.skipped, at: sourceTime)
        let isTrusted = features.report.ignoredAbsenceReasons.isEmpty
        features.report.countsAbsences = facts.certainWindow != nil && isTrusted
        try recordListing(features, download)
        if isTrusted {
            try recordCoverage(except: features.outcome.disputedOriginTimes, without: features.report.skipped)
        }
        for quake in features.outcome.undecidedQuakes { try writer.recordLostCoverage(of: quake, because: .document) }
        open.ids = features.outcome.idsInQuestion.map(\.id)
        try writer.putInQuestion(features.outcome.idsInQuestion)
        return (features.report, open)
    }

    /// Whether the snapshot lists every quake in the origin times that it covers, whatever its magnitude.
    private var isComplete: Bool { snapshot.feed?.isComplete ?? (completeTimes != nil) }

    /// Returns whether the snapshot, if it is complete, would list `quake` with its cached origin time.
    private func wouldList(_ quake: Quake) -> Bool {
        guard let times = window ?? completeTimes else { return false }
        return SnapshotFacts.wouldList(quake.originTime, in: times)
    }

    /// Records the origin times for which the snapshot lists every quake, or every quake in the feed's magnitude band.
    /// Does nothing if there are no such times. No response covers the future, even if the server's clock is fast.
    ///
    /// - Parameter withheld: origin times to leave out, because newer information about them contradicts the snapshot.
    private func recordCoverage(except withheld: Set<Timestamp>, without skipped: [SkippedFeature]) throws {
        let (source, conditions): (CoveredRange.Source, QuakeFilter?) =
            snapshot.feed.map { (.feed, $0.band.conditions) } ?? (.query, QuakeFilter())
        guard let conditions, let originTimes = window ?? completeTimes,
            originTimes.lowerBound < min(originTimes.upperBound, sourceTime)
        else { return }
        let held = originTimes.lowerBound..<min(originTimes.upperBound, sourceTime)
        let unreadable = IDInQuestion.unreadable(skipped, in: held, raised: sourceTime)
        // It is unknown whether an unreadable feature belongs to the magnitude band.
        guard unreadable.isEmpty || conditions == QuakeFilter() else { return }
        let range = CoveredRange(source: source, conditions: conditions, originTimes: held, asOf: sourceTime)
        try writer.changeCoverage { $0.add(range, except: RangeSet(instants: withheld)) }
        try writer.putInQuestion(unreadable)
    }

    /// Stores which quakes the feed listed, and that the server responded. Quakes no longer on the list keep the time
    /// of their last confirmation.
    ///
    /// An older snapshot leaves the feed's record unchanged.
    private func recordListing(_ features: SnapshotTransaction, _ download: Download?) throws {
        guard outdatedBy == nil else { return try writer.recordSourceTime(of: features.seen, sourceTime: sourceTime) }
        let listedKeys = features.outcome.confirmed
        var record = record ?? FeedRecord(name: snapshot.name)
        record.applied = now
        if let last = record.sourceTime, let previous = try writer.listedKeys(ofFeed: snapshot.name) {
            try writer.recordSourceTime(of: previous.subtracting(listedKeys), sourceTime: last)
        }
        record.generated = snapshot.published
        record.sourceTime = sourceTime
        record.featureCount = snapshot.features.count
        if let download, download.feedRecordName == record.name { succeed(&record, download) }
        try writer.save(record, listedKeys: listedKeys)
        // The document may use a different name for its source than the request did.
        if let download, download.feedRecordName != record.name {
            try sources.updateFeed(download.feedRecordName) { succeed(&$0, download) }
        }
    }

    private func succeed(_ record: inout FeedRecord, _ download: Download) {
        record.keep(snapshot.validators, url: download.address)
        record.succeed(at: now)
    }
}

extension FeedRecord {
    /// The origin times covered by the newest snapshot, if this is a complete feed.
    fileprivate var coverage: ClosedRange<Timestamp>? {
        guard let generated, let feed = FeedName(name), feed.isComplete else { return nil }
        return generated - feed.period.window...generated
    }
}

extension Timestamp {
    fileprivate static let distantPast = Timestamp(milliseconds: .min)
}
