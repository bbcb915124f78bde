/// What a feed, the answer to a query, or a file says beyond its features: which quakes it lists no longer, and of
/// which origin times it lists all.
struct FeedApplication {
    private let answer: Response
    private let session: MirrorSession
    private let writer: QuakeWriter
    /// What the cache knew about the feed before.
    private let record: FeedRecord?
    private let feeds: [FeedRecord]
    private var snapshot: FeedSnapshot { answer.document }
    /// When the snapshot was made; orders snapshots (rule 10).
    private var generated: Timestamp { answer.published }
    /// The origin times the snapshot covers, when it is a summary feed.
    private let window: ClosedRange<Timestamp>?
    /// Those whose quakes it lists completely, if it is the response to a query.
    private var complete: ClosedRange<Timestamp>? {
        CompleteQuery(address: answer.address)?
            .stretch(generated: answer.asOf, featureCount: snapshot.features.count)
    }

    init(_ answer: Response, in session: MirrorSession, writer: QuakeWriter) throws {
        (self.answer, self.session, self.writer) = (answer, session, writer)
        feeds = try session.context.sources.feeds()
        record = feeds.first { $0.name == answer.document.name }
        window = answer.document.feed.map { answer.published - $0.period.window...answer.published }
    }

    /// Whether no quake is listed where there always are some: an hour may be empty, once in a long while; a week never
    /// is.
    private var isSuspectlyEmpty: Bool {
        guard let feed = snapshot.feed, snapshot.features.isEmpty else { return false }
        return feed.band.conditions != nil && feed.period >= .week
    }

    /// By how much a newer snapshot of the same feed was applied before (rule 10); nil for none.
    private var lag: Duration? {
        // What has no name of its own is not another snapshot of the same.
        guard snapshot.feed != nil || snapshot.envelope.url != nil else { return nil }
        return (record?.generated).flatMap { $0 > generated ? $0 - generated : nil }
    }

    /// Brings the cache to what the snapshot means.
    ///
    /// - Parameters:
    ///   - asksService: hold confirmed absences back until the event service was asked.
    ///   - isDownload: ignore an old snapshot, which comes from a server that lags behind, instead of applying it as
    ///     what it is.
    /// - Returns: what it did, and the keys of the quakes about which the service is to be asked.
    /// - Throws: ``DocumentError`` when the document is not valid.
    func run(_ report: RefreshReport, asksService: Bool, isDownload: Bool) throws -> MirrorSession.Applied {
        var report = report
        report.lag = lag
        if lag != nil, isDownload {
            report.outcome = .older
            return (report, [])
        }
        let facts = SnapshotFacts(
            generated: generated, window: window,
            countsAbsences: (snapshot.feed?.isComplete ?? false) && snapshot.isWhole && !isSuspectlyEmpty
                && feeds.allSatisfy { ($0.generated ?? .distantPast) < generated },
            coveredBefore: feeds.compactMap(\.coverage).filter { $0.upperBound <= generated },
            listedIDs: ListedIDs(absence: .gone(wouldInclude: wouldInclude)) { [snapshot] in snapshot.lowercasedIDs() })
        var features = try FeatureApplication(
            snapshot, facts, asksService: asksService, in: session, report, writer: writer)
        let fingerprints = try window.map(writer.fingerprints) ?? features.fingerprintsByID()
        try features.run(fingerprints: fingerprints, expected: window)
        if !snapshot.isWhole { features.report.ignoredAbsenceReasons.append(.countMismatch) }
        if isSuspectlyEmpty { features.report.ignoredAbsenceReasons.append(.emptyFeed) }
        var awaitingService: [QuakeKey] = []
        if features.report.hasUnknownFeature {
            features.report.ignoredAbsenceReasons.append(.unreadableFeature)
        } else if let certain = facts.certainWindow {
            let covered = fingerprints.lazy.filter { certain.contains($0.originTime) }.map(\.key)
            let absences = try features.reconciler.absences(among: Array(covered), cache: features.view)
            if absences.isSuspect { features.report.ignoredAbsenceReasons.append(.massDisappearance) }
            features.report.missing = absences.noted
            awaitingService = absences.awaitingService
            try features.perform(counting: absences.operations)
        }
        let isTrusted = features.report.ignoredAbsenceReasons.isEmpty
        features.report.countsAbsences = facts.certainWindow != nil && isTrusted
        try remember(features)
        if isTrusted {
            try claim(except: features.reconciler.withheld, without: features.report.skipped, facts.listedIDs)
        }
        return (features.report, awaitingService)
    }

    /// Whether the snapshot would list `quake` as the cache has it.
    private func wouldInclude(_ quake: Quake) -> Bool {
        guard snapshot.isWhole, let times = window ?? complete else { return false }
        return quake.originTime - SnapshotFacts.margin >= times.lowerBound
            && quake.originTime + SnapshotFacts.margin <= times.upperBound
            && snapshot.feed.map { $0.band.conditions?.accepts(quake) ?? false } ?? true
    }

    /// Notes the origin times of which the snapshot lists every quake, or every one of its band, if it does so for any.
    /// No answer is about the future, whatever its clock says.
    ///
    /// - Parameter withheld: instants that it says nothing certain about, because newer news contradicts it.
    private func claim(
        except withheld: Set<Timestamp>, without skipped: [SkippedFeature], _ listedIDs: ListedIDs
    ) throws {
        let (source, conditions): (Claim.Source, QuakeFilter?) =
            snapshot.feed.map { (.feed, $0.band.conditions) } ?? (.query, QuakeFilter())
        guard let conditions, let originTimes = window ?? complete,
            originTimes.lowerBound < min(originTimes.upperBound, answer.asOf)
        else { return }
        let held = originTimes.lowerBound..<min(originTimes.upperBound, answer.asOf)
        let unreadable = UnreadableFeatures(skipped, in: held)
        // Whether a feature that cannot be read belongs to a band is not known.
        guard unreadable.unsent == 0, unreadable.questions.isEmpty || conditions == QuakeFilter() else { return }
        let claim = Claim(source: source, conditions: conditions, originTimes: held, asOf: answer.asOf)
        try writer.changeCoverage { $0.add(claim, except: RangeSet(instants: withheld)) }
        try unreadable.note(in: writer, listed: listedIDs)
    }

    /// Keeps which quakes the feed listed. Those that left its list keep the time of their last confirmation.
    ///
    /// What is known of the feed stays that of its newest snapshot.
    private func remember(_ features: FeatureApplication) throws {
        guard lag == nil else { return try writer.carrySource(of: features.seen, generated: generated) }
        let listedKeys = features.reconciler.confirmed
        var record = record ?? FeedRecord(name: snapshot.name)
        record.applied = session.now()
        if let last = record.generated, let previous = try writer.listedKeys(ofFeed: snapshot.name) {
            try writer.carrySource(of: previous.subtracting(listedKeys), generated: last)
        }
        record.generated = generated
        record.featureCount = snapshot.features.count
        try writer.save(record, listedKeys: listedKeys)
    }
}

extension FeedRecord {
    /// The origin times its newest snapshot covered, when it is a complete feed.
    fileprivate var coverage: ClosedRange<Timestamp>? {
        guard let generated, let feed = FeedName(name), feed.isComplete else { return nil }
        return generated - feed.period.window...generated
    }
}

extension Timestamp {
    fileprivate static let distantPast = Timestamp(milliseconds: .min)
}
