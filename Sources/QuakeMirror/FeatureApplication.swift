import QuakeFeed
import QuakeModel
import QuakeStore

/// What the features of one document did to the cache.
struct AppliedFeatures {
    /// What changed, by operation.
    var counts = OperationCounts()
    /// Features whose bytes the cache had seen.
    var seen = 0
    /// Features older than what a newer snapshot of another feed confirmed.
    var outdated = 0
    /// Features that could not be read.
    var skipped: [SkippedFeature] = []

    /// Whether a feature could not be read, not even its id.
    var hasUnknownFeature: Bool {
        skipped.contains { feature in
            if case .duplicate = feature.defect { return false }
            return feature.id?.isEmpty ?? true
        }
    }
}

/// Judges the features of one document inside one transaction, and performs what they mean.
struct FeatureApplication {
    private let snapshot: FeedSnapshot
    private let generated: Timestamp
    private let isStrict: Bool
    private let skipsUnchanged: Bool
    private let writer: QuakeWriter
    private(set) var result = AppliedFeatures()
    /// The rules, which remember what the document lists.
    var reconciler: Reconciler
    /// The cache as the rules see it.
    let view: WriterView

    /// - Parameters:
    ///   - generated: when the document was made.
    ///   - isStrict: refuse a document with a feature that cannot be read.
    ///   - skipsUnchanged: skip features whose bytes the cache has seen, instead of decoding and judging them.
    init(
        _ snapshot: FeedSnapshot, generated: Timestamp, isStrict: Bool, skipsUnchanged: Bool = true,
        reconciler: Reconciler, writer: QuakeWriter
    ) {
        self.snapshot = snapshot
        self.generated = generated
        self.isStrict = isStrict
        self.skipsUnchanged = skipsUnchanged
        self.reconciler = reconciler
        self.writer = writer
        view = WriterView(writer: writer, generated: generated, feed: snapshot.name)
    }

    /// Applies the features.
    ///
    /// - Parameters:
    ///   - fingerprints: those of the quakes in the cache that the document may list.
    ///   - ignored: positions of features that say nothing about a quake that exists.
    ///   - expected: the origin times that the document may list; nil for all.
    ///   - isAdmitted: whether a quake that the document lists belongs to what was asked for; the others are passed
    ///     over.
    /// - Throws: ``DocumentError`` when most features lie outside `expected`, or cannot be read.
    mutating func run(
        fingerprints: [Fingerprint], ignoring ignored: Set<Int> = [], expected: ClosedRange<Timestamp>? = nil,
        isAdmitted: (Quake, WriterView) throws -> Bool = { _, _ in true }
    ) throws {
        let (seen, others) = try divide(fingerprints)
        result.seen = seen.count
        try perform(reconciler.expiredDoubts)
        try perform(reconciler.see(seen))
        try judge(ignored.isEmpty ? others : others.filter { !ignored.contains($0) }, expected, isAdmitted)
        try refuseUnreadable()
    }

    /// Performs what was found out apart from the features, and counts it.
    mutating func perform(counting operations: [Operation]) throws {
        result.counts.add(operations)
        try perform(operations)
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

    private mutating func judge(
        _ positions: [Int], _ expected: ClosedRange<Timestamp>?, _ isAdmitted: (Quake, WriterView) throws -> Bool
    ) throws {
        var outside = 0
        try FeatureDecoder(snapshot, indices: positions).forEach { position, decoded in
            do {
                let quake = try decoded.get()
                if let expected, !expected.mayList(quake.originTime) { outside += 1 }
                guard try isAdmitted(quake, view) else { return }
                let operations = try reconciler.judge(quake, cache: view)
                if operations.isEmpty { result.outdated += 1 }
                result.counts.add(operations)
                // Without a hash it is judged again the next time.
                try perform(operations, hash: reconciler.isSettled ? snapshot.features[position].hash : 0)
            } catch let defect as FeatureDefect {
                try skip(position, defect)
            }
        }
        if outside * 2 > snapshot.features.count {
            throw DocumentError.outsideWindow(count: outside, of: snapshot.features.count, name: snapshot.name)
        }
    }

    /// Skips a bad feature. A quake that can still be identified is not missing.
    private mutating func skip(_ position: Int, _ defect: FeatureDefect) throws {
        let id = snapshot.id(at: position)
        result.skipped.append(SkippedFeature(position: position + 1, id: id, defect: defect))
        if case .duplicate = defect { return }
        if let id, !id.isEmpty, let known = try writer.fingerprint(ofID: id) {
            try perform(reconciler.seeUnread(known.key))
        }
    }

    /// Refuses a document with bad features where they are not to be skipped, or where most features are bad: a
    /// published copy without ids was once applied with 1,786 of 1,786 features skipped.
    private func refuseUnreadable() throws {
        if isStrict, !result.skipped.isEmpty { throw DocumentError.badFeatures(result.skipped) }
        let unreadable = result.skipped.count { if case .duplicate = $0.defect { false } else { true } }
        if unreadable > 20, unreadable * 2 > snapshot.features.count {
            throw DocumentError.mostlyUnreadable(
                count: unreadable, of: snapshot.features.count, first: result.skipped[0])
        }
    }

    private mutating func perform(_ operations: [Operation], hash: Int64 = 0) throws {
        let rowSource = RowSource(hash: hash, generated: generated.milliseconds)
        for operation in operations {
            if let key = try writer.perform(operation, rowSource) { reconciler.inserted(key) }
        }
    }
}

extension ClosedRange<Timestamp> {
    /// Whether a document about these origin times may list a quake of this one: an hour of tolerance back, a day
    /// ahead.
    func mayList(_ originTime: Timestamp) -> Bool {
        originTime >= lowerBound - .seconds(3600) && originTime <= upperBound + .seconds(86_400)
    }
}

extension FeedSnapshot {
    /// The ids of its features, in lower case, without those at the positions `ignored`.
    func lowercasedIDs(ignoring ignored: Set<Int> = []) -> Set<String> {
        var ids: Set<String> = []
        ids.reserveCapacity(features.count)
        for index in features.indices where !ignored.contains(index) {
            if let id = id(at: index) { ids.insert(id.lowercased()) }
        }
        return ids
    }
}
