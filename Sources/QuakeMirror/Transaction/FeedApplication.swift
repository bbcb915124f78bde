/// Applies a feed, a query response or a file: its features, the quakes it no longer lists, and the origin times that
/// it lists completely.
struct FeedApplication {
    private let answer: Response
    private let prepared: PreparedFeatures
    private let session: MirrorSession
    private let writer: QuakeWriter
    /// The cache's record of the feed before this snapshot.
    private let record: FeedRecord?
    private let feeds: [FeedRecord]
    private var snapshot: FeedSnapshot { answer.document }
    /// The time of the snapshot, by which snapshots are ordered (rule 10).
    private var generated: Timestamp { answer.sourceTime }
    /// The origin times that the snapshot covers, if it is a summary feed.
    private var window: ClosedRange<Timestamp>? { answer.window }
    /// The origin times that the snapshot lists completely, if it is a query response.
    private var complete: ClosedRange<Timestamp>? {
        CompleteQuery(address: answer.address)?
            .stretch(generated: answer.published, featureCount: snapshot.features.count)
    }

    init(_ answer: Response, _ prepared: PreparedFeatures, in session: MirrorSession, writer: QuakeWriter) throws {
        self.answer = answer
        self.prepared = prepared
        self.session = session
        self.writer = writer
        feeds = try session.context.sources.feeds()
        record = feeds.first { $0.name == answer.document.name }
    }

    /// Whether the snapshot lists no quakes although some are to be expected. An hour without quakes is rare but
    /// possible; a week without quakes is not.
    private var isSuspectlyEmpty: Bool {
        guard let feed = snapshot.feed, snapshot.features.isEmpty else { return false }
        return feed.band.conditions != nil && feed.period >= .week
    }

    /// How much newer the last applied snapshot of the same feed is (rule 10); nil if it is not newer.
    private var lag: Duration? {
        return (record?.sourceTime).flatMap { $0 > generated ? $0 - generated : nil }
    }

    /// Applies the snapshot to the cache.
    ///
    /// - Parameters:
    ///   - asksService: whether confirmed absences wait for the event service.
    ///   - isDownload: whether to ignore an old snapshot, which comes from a lagging server, instead of applying it as
    ///     an old document.
    /// - Returns: the report, and the quakes to request from the service.
    /// - Throws: ``DocumentError`` when the document is not valid.
    func run(_ report: RefreshReport, asksService: Bool, isDownload: Bool) throws -> MirrorSession.Applied {
        var report = report
        report.lag = lag
        if lag != nil, isDownload {
            report.outcome = .older
            return (report, OpenCases())
        }
        let facts = SnapshotFacts(
            sourceTime: generated, window: window,
            countsAbsences: (snapshot.feed?.isComplete ?? false) && snapshot.isWhole && !isSuspectlyEmpty
                && feeds.allSatisfy { $0.isService || ($0.sourceTime ?? .distantPast) < generated },
            coveredBefore: feeds.compactMap(\.coverage).filter { $0.upperBound <= generated },
            listing: Listing(
                isComplete ? .complete : .partial, wouldList: wouldList,
                isWhole: { [snapshot] in snapshot.isWhole && !snapshot.hasNamelessFeature }
            ) { [snapshot] in
                snapshot.lowercasedIDs()
            }, undecided: asksService ? .asked : .decidedAlone)
        let prepared = try prepared.updated(from: session.context.sources)
        var features = try SnapshotTransaction(prepared, facts, session.settings, report, writer: writer)
        try features.run(expected: window)
        if !snapshot.isWhole { features.report.ignoredAbsenceReasons.append(.countMismatch) }
        if isSuspectlyEmpty { features.report.ignoredAbsenceReasons.append(.emptyFeed) }
        var open = OpenCases()
        if features.report.hasUnknownFeature {
            features.report.ignoredAbsenceReasons.append(.unreadableFeature)
        } else if let certain = facts.certainWindow {
            let covered = prepared.fingerprints.lazy.filter { certain.contains($0.originTime) }.map(\.key)
            let absences = try features.applyAbsences(among: Array(covered))
            if absences.isSuspect { features.report.ignoredAbsenceReasons.append(.massDisappearance) }
            features.report.missing = absences.unconfirmed
            open.absentKeys = absences.awaitingService
        }
        try writer.settleIDs(listedIn: snapshot, skipped: features.report.skipped, at: generated)
        let isTrusted = features.report.ignoredAbsenceReasons.isEmpty
        features.report.countsAbsences = facts.certainWindow != nil && isTrusted
        try remember(features)
        if isTrusted {
            try recordCoverage(except: features.outcome.withheld, without: features.report.skipped)
        }
        for quake in features.outcome.uncertain { try writer.lose(quake, to: .document) }
        open.ids = features.outcome.idsInQuestion.map(\.id)
        try writer.putInQuestion(features.outcome.idsInQuestion)
        return (features.report, open)
    }

    /// Whether the snapshot lists every quake of its times, of whatever magnitude.
    private var isComplete: Bool { snapshot.feed?.isComplete ?? (complete != nil) }

    /// Returns whether the snapshot, if it is complete, would list `quake` with its cached origin time.
    private func wouldList(_ quake: Quake) -> Bool {
        guard let times = window ?? complete else { return false }
        return SnapshotFacts.wouldList(quake.originTime, in: times)
    }

    /// Records the origin times for which the snapshot lists every quake, or every quake in the feed's magnitude band.
    /// Does nothing if there are no such times. No response covers the future, even if the server's clock is fast.
    ///
    /// - Parameter withheld: origin times to leave out, because newer information about them contradicts the snapshot.
    private func recordCoverage(except withheld: Set<Timestamp>, without skipped: [SkippedFeature]) throws {
        let (source, conditions): (CoveredRange.Source, QuakeFilter?) =
            snapshot.feed.map { (.feed, $0.band.conditions) } ?? (.query, QuakeFilter())
        guard let conditions, let originTimes = window ?? complete,
            originTimes.lowerBound < min(originTimes.upperBound, answer.sourceTime)
        else { return }
        let held = originTimes.lowerBound..<min(originTimes.upperBound, answer.sourceTime)
        let unreadable = UnreadableFeatures(skipped, in: held, raised: generated)
        // It is unknown whether an unreadable feature belongs to the magnitude band.
        guard unreadable.unsent == 0, unreadable.idsInQuestion.isEmpty || conditions == QuakeFilter() else { return }
        let range = CoveredRange(source: source, conditions: conditions, originTimes: held, asOf: answer.sourceTime)
        try writer.changeCoverage { $0.add(range, except: RangeSet(instants: withheld)) }
        try writer.putInQuestion(unreadable.idsInQuestion)
    }

    /// Stores which quakes the feed listed. Quakes no longer on the list keep the time of their last confirmation.
    ///
    /// An older snapshot leaves the feed's record unchanged.
    private func remember(_ features: SnapshotTransaction) throws {
        guard lag == nil else { return try writer.carrySource(of: features.seen, sourceTime: generated) }
        let listedKeys = features.outcome.confirmed
        var record = record ?? FeedRecord(name: snapshot.name)
        record.applied = session.now()
        if let last = record.sourceTime, let previous = try writer.listedKeys(ofFeed: snapshot.name) {
            try writer.carrySource(of: previous.subtracting(listedKeys), sourceTime: last)
        }
        record.generated = answer.published
        record.sourceTime = answer.sourceTime
        record.featureCount = snapshot.features.count
        try writer.save(record, listedKeys: listedKeys)
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
