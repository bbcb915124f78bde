import QuakeFeed
import QuakeModel
import QuakeStore

/// What one snapshot did to the cache.
struct AppliedSnapshot {
    /// When the snapshot was made.
    let generated: Timestamp
    /// The snapshot was ignored: a newer one of the same feed was applied before.
    var isOlder = false
    /// What changed, by operation.
    var counts = OperationCounts()
    /// Features whose bytes the cache had seen.
    var seen = 0
    /// Features older than what a newer snapshot of another feed confirmed.
    var outdated = 0
    /// Quakes missing from the window whose absence is noted and not believed.
    var missing = 0
    /// Keys of those of them whose absence is confirmed, and waits for an answer of the event service.
    var awaitingService: [Int64] = []
    /// Why absences counted for nothing.
    var suspicions: [RefreshReport.Suspicion] = []
    /// Features that could not be read.
    var skipped: [SkippedFeature] = []
    /// The entry in the history, if anything changed.
    var transaction: HistoryTransaction?
}

/// Applies one snapshot inside one transaction: asks the rules, performs the operations, counts them.
struct SnapshotApplication {
    private let snapshot: FeedSnapshot
    private let settings: MirrorSettings
    private let address: String
    private let asksService: Bool
    private let skipsUnchanged: Bool
    private let writer: QuakeWriter
    private let now: Timestamp
    /// The origin times the snapshot covers, when it is a summary feed.
    private let window: ClosedRange<Timestamp>?
    private let view: WriterView
    private var result: AppliedSnapshot

    private var generated: Timestamp { result.generated }

    /// - Parameters:
    ///   - address: the request that the snapshot answers.
    ///   - asksService: hold confirmed absences back until the event service was asked.
    ///   - skipsUnchanged: skip features whose bytes the cache has seen, instead of decoding and judging them.
    init(
        _ snapshot: FeedSnapshot, from address: String, generated: Timestamp, now: Timestamp, settings: MirrorSettings,
        asksService: Bool,
        skipsUnchanged: Bool, writer: QuakeWriter
    ) {
        self.snapshot = snapshot
        self.address = address
        self.settings = settings
        self.asksService = asksService
        self.skipsUnchanged = skipsUnchanged
        self.writer = writer
        self.now = now
        window = snapshot.feed.map { generated - $0.period.window...generated }
        view = WriterView(writer: writer, generated: generated, feed: snapshot.name)
        result = AppliedSnapshot(generated: generated)
    }

    /// Brings the cache to what the snapshot means.
    ///
    /// - Parameter feeds: what the cache knows of every feed.
    /// - Throws: ``DocumentError`` when the document is not valid.
    mutating func run(feeds: [FeedRecord]) throws -> AppliedSnapshot {
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
            listedIDs: ListedIDs { [snapshot] in snapshot.lowercasedIDs })
        var reconciler = Reconciler(
            facts: facts, settings: settings, asksService: asksService, doubts: try writer.doubts())
        let fingerprints = try knownFingerprints()
        let (seen, others) = try divide(fingerprints)
        result.seen = seen.count
        try perform(reconciler.expiredDoubts, hash: 0, &reconciler)
        try perform(reconciler.see(seen), hash: 0, &reconciler)
        try judge(others, &reconciler)
        try refuseUnreadable()
        try judgeAbsences(facts, fingerprints, &reconciler)
        try remember(record, listedKeys: reconciler.confirmed)
        if isWhole { try noteCoverage() }
        return result
    }

    /// Hash and key of every quake in the cache that the snapshot may list.
    private func knownFingerprints() throws -> [Fingerprint] {
        if let window { return try writer.fingerprints(in: window, expected: snapshot.features.count) }
        return try snapshot.features.indices.compactMap { index in
            try snapshot.id(at: index).flatMap { try writer.fingerprint(ofID: $0) }
        }
    }

    /// The keys of the quakes whose features may be skipped, and the positions of the features to judge.
    private func divide(_ fingerprints: [Fingerprint]) throws -> (seen: [Int64], others: [Int]) {
        guard skipsUnchanged else { return ([], Array(snapshot.features.indices)) }
        let features = SeenFeatures(in: snapshot, fingerprints: fingerprints)
        if try features.isAnyListedAgain(in: snapshot, fingerprint: writer.fingerprint) {
            return ([], Array(snapshot.features.indices))
        }
        return (features.keys, features.others)
    }

    private mutating func judge(_ positions: [Int], _ reconciler: inout Reconciler) throws {
        var outside = 0
        try FeatureDecoder(snapshot, indices: positions).forEach { position, decoded in
            do {
                let quake = try decoded.get()
                if let window, !window.mayList(quake.originTime) { outside += 1 }
                let operations = try reconciler.judge(quake, cache: view)
                if operations.isEmpty { result.outdated += 1 }
                result.counts.add(operations)
                // Without a hash it is judged again the next time.
                let hash = reconciler.isSettled ? snapshot.features[position].hash : 0
                try perform(operations, hash: hash, &reconciler)
            } catch let defect as FeatureDefect {
                try skip(position, defect, &reconciler)
            }
        }
        if outside * 2 > snapshot.features.count {
            throw DocumentError.outsideWindow(count: outside, of: snapshot.features.count, name: snapshot.name)
        }
    }

    /// Skips a bad feature. A quake that can still be identified is not missing.
    private mutating func skip(_ position: Int, _ defect: FeatureDefect, _ reconciler: inout Reconciler) throws {
        let id = snapshot.id(at: position)
        result.skipped.append(SkippedFeature(position: position + 1, id: id, defect: defect))
        if case .duplicate = defect { return }
        if let id, !id.isEmpty {
            if let known = try writer.fingerprint(ofID: id) {
                try perform(reconciler.seeUnread(known.key), hash: 0, &reconciler)
            }
        } else if !result.suspicions.contains(.unreadableFeature) {
            result.suspicions.append(.unreadableFeature)
        }
    }

    /// Refuses a document with bad features where they are not to be skipped, or where most features are bad: a
    /// published copy without ids was once applied with 1,786 of 1,786 features skipped.
    private func refuseUnreadable() throws {
        if settings.isStrict, !result.skipped.isEmpty { throw DocumentError.badFeatures(result.skipped) }
        let unreadable = result.skipped.count { if case .duplicate = $0.defect { false } else { true } }
        if unreadable > 20, unreadable * 2 > snapshot.features.count {
            throw DocumentError.mostlyUnreadable(
                count: unreadable, of: snapshot.features.count, first: result.skipped[0])
        }
    }

    private mutating func judgeAbsences(
        _ facts: SnapshotFacts, _ fingerprints: [Fingerprint], _ reconciler: inout Reconciler
    ) throws {
        guard let certain = facts.certainWindow, !result.suspicions.contains(.unreadableFeature) else { return }
        let covered = fingerprints.lazy.filter { certain.contains($0.originTime) }.map(\.key)
        // A quake that was merged, or renamed out of the window meanwhile, is no longer there to be missing.
        let absences = try reconciler.absences(among: Array(covered), cache: view)
        if absences.isSuspect { result.suspicions.append(.massDisappearance) }
        result.missing = absences.noted
        result.awaitingService = absences.awaitingService
        result.counts.add(absences.operations)
        try perform(absences.operations, hash: 0, &reconciler)
    }

    private func perform(_ operations: [Operation], hash: Int64, _ reconciler: inout Reconciler) throws {
        let rowSource = RowSource(hash: hash, generated: generated.milliseconds)
        for operation in operations {
            if let key = try writer.perform(operation, rowSource) { reconciler.inserted(key) }
        }
    }

    /// Notes the origin times of which the snapshot lists every quake, if it does so for any.
    private func noteCoverage() throws {
        if let feed = snapshot.feed {
            if feed.isComplete, let window { try writer.cover(window) }
        } else if let query = CompleteQuery(address: address),
            let stretch = query.stretch(generated: generated, featureCount: snapshot.features.count)
        {
            try writer.fill(stretch)
        }
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

extension ClosedRange<Timestamp> {
    /// Whether a feed of this window may list a quake of this origin time: an hour of tolerance back, a day ahead.
    fileprivate func mayList(_ originTime: Timestamp) -> Bool {
        originTime >= lowerBound - .seconds(3600) && originTime <= upperBound + .seconds(86_400)
    }
}

extension FeedRecord {
    /// The origin times its newest snapshot covered, when it is a complete feed.
    fileprivate var coverage: ClosedRange<Timestamp>? {
        guard let generated, let feed = FeedName(name), feed.isComplete else { return nil }
        return generated - feed.period.window...generated
    }
}

extension FeedSnapshot {
    /// The ids of all features, lower case.
    fileprivate var lowercasedIDs: Set<String> {
        var ids: Set<String> = []
        ids.reserveCapacity(features.count)
        for index in features.indices {
            if let id = id(at: index) { ids.insert(id.lowercased()) }
        }
        return ids
    }
}

extension Timestamp {
    fileprivate static let distantPast = Timestamp(milliseconds: .min)
}
