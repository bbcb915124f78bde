import QuakeFeed
import QuakeModel
import QuakeStore

/// Applies one snapshot inside one transaction: asks the rules, tells the writer, counts for the report.
struct MirrorApplication {
    private let snapshot: FeedSnapshot
    private let settings: MirrorSettings
    private let asksService: Bool
    private let writer: QuakeWriter
    private let generated: Timestamp
    private let now: Timestamp
    private let view: WriterView
    private var report: RefreshReport
    /// Where each id stands last among the features taken for seen; found out when an id is listed twice.
    private var lastPlaces: [String: Int]?

    /// - Parameter asksService: hold believed absences back for the event service.
    init(
        _ snapshot: FeedSnapshot, generated: Timestamp, now: Timestamp, settings: MirrorSettings, asksService: Bool,
        writer: QuakeWriter, report: RefreshReport
    ) {
        self.snapshot = snapshot
        self.settings = settings
        self.asksService = asksService
        self.writer = writer
        self.generated = generated
        self.now = now
        self.report = report
        view = WriterView(writer: writer, generated: generated, feed: snapshot.name)
    }

    /// Brings the cache to what the snapshot means. Throws when the document must not be believed.
    mutating func run(record: FeedRecord?, allFeeds: [FeedRecord]) throws -> RefreshReport {
        report.generated = generated
        report.features = snapshot.features.count
        if let last = record?.generated, last > generated {
            report.outcome = .older
            return report
        }
        let window = snapshot.feed.map { generated - $0.period.window...generated }
        let fingerprints = try knownFingerprints(in: window)
        let (seen, changed) = partition(fingerprints)
        let isWhole = snapshot.envelope.count == nil || snapshot.envelope.count == snapshot.features.count
        if !isWhole { report.suspicions.append(.countMismatch) }
        let facts = SnapshotFacts(
            generated: generated, window: window,
            countsAbsences: (snapshot.feed?.isComplete ?? false) && isWhole
                && allFeeds.allSatisfy { ($0.generated ?? .distantPast) < generated },
            coveredBefore: allFeeds.compactMap(\.coverage),
            listedIDs: ListedIDs { [snapshot] in snapshot.lowercasedIDs })
        var reconciler = Reconciler(
            facts: facts, settings: settings, asksService: asksService, doubts: try writer.doubts())
        try apply(reconciler.upkeep, hash: 0, &reconciler)
        try apply(reconciler.see(seen), hash: 0, &reconciler)
        report.same = seen.count
        try judge(changed, &reconciler, window: window)
        try judgeAbsences(facts, fingerprints, &reconciler)
        try remember(record, roster: reconciler.confirmed)
        return report
    }

    /// Hash and key of what the cache holds where the snapshot may list it.
    private func knownFingerprints(in window: ClosedRange<Timestamp>?) throws -> [Fingerprint] {
        if let window { return try writer.fingerprints(in: window, expected: snapshot.features.count) }
        return try snapshot.features.indices.compactMap { index in
            try snapshot.id(at: index).flatMap { try writer.fingerprint(ofID: $0) }
        }
    }

    /// The keys of the features whose bytes the cache has seen, and the indices of the others.
    private func partition(_ fingerprints: [Fingerprint]) -> (seen: [Int64], changed: [Int]) {
        guard settings.skipsUnchanged else { return ([], Array(snapshot.features.indices)) }
        var index = FingerprintIndex(fingerprints)
        var seen: [Int64] = []
        var changed: [Int] = []
        seen.reserveCapacity(snapshot.features.count)
        for (position, feature) in snapshot.features.enumerated() {
            if let key = index.take(feature.hash) { seen.append(key) } else { changed.append(position) }
        }
        return (seen, changed)
    }

    private mutating func judge(
        _ indices: [Int], _ reconciler: inout Reconciler, window: ClosedRange<Timestamp>?
    ) throws {
        var outside = 0
        try FeatureDecoder(snapshot, indices: indices).forEach { index, result in
            do {
                let quake = try result.get()
                if let window, !window.mayList(quake.originTime) { outside += 1 }
                let operations = try reconciler.judge(quake, cache: view)
                if operations.isEmpty { report.outdated += 1 }
                report.count(operations)
                // Without a hash it is judged again the next time.
                let hash = reconciler.isSettled ? snapshot.features[index].hash : 0
                try apply(operations, hash: hash, &reconciler)
            } catch let defect as FeatureDefect {
                if case .duplicate = defect, isListedLater(index, amongSeenBut: indices) { throw SkippingMisleads() }
                try skip(index, defect, &reconciler)
            }
        }
        if outside * 2 > snapshot.features.count {
            throw DocumentError.outsideWindow(count: outside, of: snapshot.features.count, name: snapshot.name)
        }
        if settings.isStrict, !report.skipped.isEmpty { throw DocumentError.badFeatures(report.skipped) }
    }

    /// Whether what makes the feature at `index` a duplicate comes after it: a feature taken for seen, not at one of the
    /// places in `changed`.
    private mutating func isListedLater(_ index: Int, amongSeenBut changed: [Int]) -> Bool {
        guard settings.skipsUnchanged, let id = snapshot.id(at: index)?.lowercased() else { return false }
        let places = lastPlaces ?? snapshot.lastPlaces(besides: changed)
        lastPlaces = places
        return places[id].map { $0 > index } ?? false
    }

    /// Passes over a bad feature. What can still be identified is not missing (the rule of the single bad feature).
    private mutating func skip(_ index: Int, _ defect: FeatureDefect, _ reconciler: inout Reconciler) throws {
        let id = snapshot.id(at: index)
        report.skipped.append(SkippedFeature(position: index + 1, id: id, defect: defect))
        if case .duplicate = defect { return }
        if let id, !id.isEmpty {
            if let known = try writer.fingerprint(ofID: id) {
                try apply(reconciler.seeUnread(known.key), hash: 0, &reconciler)
            }
        } else if !report.suspicions.contains(.unreadableFeature) {
            report.suspicions.append(.unreadableFeature)
        }
    }

    private mutating func judgeAbsences(
        _ facts: SnapshotFacts, _ fingerprints: [Fingerprint], _ reconciler: inout Reconciler
    ) throws {
        guard let certain = facts.certainWindow, !report.suspicions.contains(.unreadableFeature) else { return }
        let covered = fingerprints.lazy.filter { certain.contains($0.originTime) }.map(\.key)
        // What was merged away or renamed out of the window meanwhile is no longer there to be missing.
        let absences = try reconciler.absences(among: Array(covered), cache: view)
        if absences.isSuspect { report.suspicions.append(.massDisappearance) }
        report.missing = absences.noted
        report.awaiting = absences.awaiting
        report.count(absences.operations)
        try apply(absences.operations, hash: 0, &reconciler)
    }

    private func apply(_ operations: [Operation], hash: Int64, _ reconciler: inout Reconciler) throws {
        let rowSource = RowSource(hash: hash, generated: generated.milliseconds)
        for operation in operations {
            if let key = try writer.perform(operation, rowSource) { reconciler.inserted(key) }
        }
    }

    /// Keeps what the feed said, and lets the quakes that left its list carry their confirmation themselves.
    private func remember(_ old: FeedRecord?, roster: ListedKeys) throws {
        var record = old ?? FeedRecord(name: snapshot.name)
        record.applied = now
        if let last = old?.generated, let previous = try writer.listedKeys(ofFeed: snapshot.name) {
            try writer.carrySource(of: previous.subtracting(roster), generated: last)
        }
        record.generated = generated
        record.featureCount = snapshot.features.count
        try writer.save(record, listedKeys: roster)
    }
}

extension ClosedRange<Timestamp> {
    /// Whether a feed of this window may list a quake of this origin time: an hour of slack back, a day ahead of the
    /// clock.
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

/// Thrown where a document lists an id twice, first with news and then as the cache holds it: by the rules the first
/// stands, which only shows when every feature is judged in its turn.
struct SkippingMisleads: Error {}

extension FeedSnapshot {
    /// Where each id, lower case, stands last among the features that are not at one of the places in `excluded`.
    fileprivate func lastPlaces(besides excluded: [Int]) -> [String: Int] {
        let excluded = Set(excluded)
        var places: [String: Int] = [:]
        for index in features.indices where !excluded.contains(index) {
            if let id = id(at: index) { places[id.lowercased()] = index }
        }
        return places
    }

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
