import QuakeFeed
import QuakeModel
import QuakeStore

/// What one snapshot did to the cache.
struct AppliedSnapshot {
    /// When the snapshot was made.
    let generated: Timestamp
    /// The snapshot was ignored: a newer one of the same feed was applied before.
    var isOlder = false
    /// What its features did.
    var features = AppliedFeatures()
    /// Quakes missing from the window whose absence is noted and not believed.
    var missing = 0
    /// Keys of those of them whose absence is confirmed, and waits for an answer of the event service.
    var awaitingService: [Int64] = []
    /// Whether quakes that it does not list may count as deleted.
    var countsAbsences = false
    /// Why absences counted for nothing.
    var suspicions: [RefreshReport.Suspicion] = []
    /// The entry in the history, if anything changed.
    var transaction: HistoryTransaction?
}

/// Applies one snapshot of a feed inside one transaction: its features, then what it does not list.
struct SnapshotApplication {
    private let snapshot: FeedSnapshot
    private let generated: Timestamp
    private let settings: MirrorSettings
    private let address: String
    private let asksService: Bool
    private let skipsUnchanged: Bool
    private let writer: QuakeWriter
    private let now: Timestamp
    /// The origin times the snapshot covers, when it is a summary feed.
    private let window: ClosedRange<Timestamp>?

    /// - Parameters:
    ///   - address: the request that the snapshot answers.
    ///   - asksService: hold confirmed absences back until the event service was asked.
    ///   - skipsUnchanged: skip features whose bytes the cache has seen, instead of decoding and judging them.
    init(
        _ snapshot: FeedSnapshot, from address: String, generated: Timestamp, now: Timestamp, settings: MirrorSettings,
        asksService: Bool, skipsUnchanged: Bool, writer: QuakeWriter
    ) {
        self.snapshot = snapshot
        self.generated = generated
        self.address = address
        self.settings = settings
        self.asksService = asksService
        self.skipsUnchanged = skipsUnchanged
        self.writer = writer
        self.now = now
        window = snapshot.feed.map { generated - $0.period.window...generated }
    }

    /// Brings the cache to what the snapshot means.
    ///
    /// - Parameter feeds: what the cache knows of every feed.
    /// - Throws: ``DocumentError`` when the document is not valid.
    func run(feeds: [FeedRecord]) throws -> AppliedSnapshot {
        var result = AppliedSnapshot(generated: generated)
        let record = feeds.first { $0.name == snapshot.name }
        if let last = record?.generated, last > generated {
            result.isOlder = true
            return result
        }
        let isWhole = snapshot.envelope.count == nil || snapshot.envelope.count == snapshot.features.count
        if !isWhole { result.suspicions.append(.countMismatch) }
        let facts = SnapshotFacts(
            generated: generated, window: window,
            countsAbsences: (snapshot.feed?.isComplete ?? false) && isWhole
                && feeds.allSatisfy { ($0.generated ?? .distantPast) < generated },
            coveredBefore: feeds.compactMap(\.coverage),
            listedIDs: ListedIDs { [snapshot] in snapshot.lowercasedIDs() })
        var application = FeatureApplication(
            snapshot, generated: generated, isStrict: settings.isStrict, skipsUnchanged: skipsUnchanged,
            reconciler: Reconciler(
                facts: facts, settings: settings, asksService: asksService, doubts: try writer.doubts()),
            writer: writer)
        let fingerprints = try knownFingerprints()
        try application.run(fingerprints: fingerprints, expected: window)
        if application.result.hasUnknownFeature {
            result.suspicions.append(.unreadableFeature)
        } else if let certain = facts.certainWindow {
            try judgeAbsences(in: certain, fingerprints, &application, &result)
        }
        result.countsAbsences = facts.certainWindow != nil && result.suspicions.isEmpty
        result.features = application.result
        try remember(record, listedKeys: application.reconciler.confirmed)
        if result.suspicions.isEmpty { try claim() }
        return result
    }

    /// Hash and key of every quake in the cache that the snapshot may list.
    private func knownFingerprints() throws -> [Fingerprint] {
        if let window { return try writer.fingerprints(in: window, expected: snapshot.features.count) }
        return try snapshot.features.indices.compactMap { index in
            try snapshot.id(at: index).flatMap { try writer.fingerprint(ofID: $0) }
        }
    }

    private func judgeAbsences(
        in certain: ClosedRange<Timestamp>, _ fingerprints: [Fingerprint], _ application: inout FeatureApplication,
        _ result: inout AppliedSnapshot
    ) throws {
        let covered = fingerprints.lazy.filter { certain.contains($0.originTime) }.map(\.key)
        // A quake that was merged, or renamed out of the window meanwhile, is no longer there to be missing.
        let absences = try application.reconciler.absences(among: Array(covered), cache: application.view)
        if absences.isSuspect { result.suspicions.append(.massDisappearance) }
        result.missing = absences.noted
        result.awaitingService = absences.awaitingService
        try application.perform(counting: absences.operations)
    }

    /// Notes the origin times of which the snapshot lists every quake, if it does so for any.
    private func claim() throws {
        let (source, originTimes): (Claim.Source, ClosedRange<Timestamp>?) =
            if let feed = snapshot.feed {
                (.feed, feed.isComplete ? window : nil)
            } else {
                (
                    .query,
                    CompleteQuery(address: address)?
                        .stretch(generated: generated, featureCount: snapshot.features.count)
                )
            }
        guard let originTimes, originTimes.lowerBound < originTimes.upperBound else { return }
        try writer.add(
            Claim(
                source: source, originTimes: originTimes.lowerBound..<originTimes.upperBound,
                asOf: min(generated, now)))
    }

    /// Keeps which quakes the feed listed. Those that left its list keep the time of their last confirmation
    /// themselves.
    private func remember(_ old: FeedRecord?, listedKeys: ListedKeys) throws {
        var record = old ?? FeedRecord(name: snapshot.name)
        record.applied = now
        if let last = old?.generated, let previous = try writer.listedKeys(ofFeed: snapshot.name) {
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
