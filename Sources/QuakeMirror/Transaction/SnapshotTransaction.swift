/// The transaction that applies one document: the rules judge each feature, and the resulting operations are performed.
struct SnapshotTransaction {
    private let prepared: PreparedFeatures
    private var snapshot: FeedSnapshot { prepared.snapshot }
    private let rules: SnapshotRules
    private let isStrict: Bool
    let writer: QuakeWriter
    let view: WriterView
    var report: RefreshReport
    /// The decisions on the features so far.
    private(set) var outcome: SnapshotOutcome
    /// The keys of quakes with features whose bytes the cache has already seen.
    var seen: [QuakeKey] { prepared.seenKeys }
    /// The ids of features marked as deleted.
    private var deletedIDs: [String] = []
    /// The features that are judged in a later turn.
    private var postponed: [(position: Int, quake: Quake)] = []

    /// - Parameter facts: the facts about the document apart from its features.
    init(
        _ prepared: PreparedFeatures, _ facts: SnapshotFacts, _ settings: MirrorSettings, _ report: RefreshReport,
        writer: QuakeWriter
    ) throws {
        self.prepared = prepared
        self.writer = writer
        self.report = report
        outcome = SnapshotOutcome(features: prepared.snapshot.features.count)
        isStrict = settings.isStrict
        rules = SnapshotRules(
            facts: facts, settings: settings, unconfirmedChanges: try writer.unconfirmedChanges())
        view = WriterView(writer: writer, sourceTime: facts.sourceTime)
    }

    /// Applies the features.
    ///
    /// - Parameters:
    ///   - ignored: the positions of features that describe deleted quakes.
    ///   - expected: the origin times that the document may list; nil for all.
    ///   - isAdmitted: returns whether a listed quake may be added or updated; other quakes are ignored.
    /// - Throws: ``DocumentError`` if most features lie outside `expected` or are unreadable; in strict mode, if any is
    ///   unreadable.
    mutating func run(
        ignoring ignored: Set<Int> = [], expected: ClosedRange<Timestamp>? = nil,
        isAdmitted: (Quake, WriterView) throws -> Bool = { _, _ in true }
    ) throws {
        let others = prepared.indicesToJudge
        report.unchanged = seen.count
        try perform(rules.confirmation.operationsDroppingExpired)
        outcome.list(seen)
        try perform(rules.operations(forListed: seen))
        try judgeFeatures(ignored.isEmpty ? others : others.filter { !ignored.contains($0) }, expected, isAdmitted)
        report.skipped.sort { $0.position < $1.position }
        for id in deletedIDs { try delete(id) }
        try refuseUnreadable()
    }

    /// Judges the cached quakes under the keys `covered` that the document did not list, and applies the outcome.
    mutating func applyAbsences(among covered: [QuakeKey]) throws -> Absences {
        let absences = try rules.absences(among: covered, listed: outcome.listed, cache: view)
        try performAndCount(absences.operations)
        return absences
    }

    /// Applies operations that do not come from a feature, and counts them.
    mutating func performAndCount(_ operations: [Operation]) throws {
        report.count(operations)
        try perform(operations)
    }

    private mutating func judgeFeatures(
        _ positions: [Int], _ expected: ClosedRange<Timestamp>?, _ isAdmitted: (Quake, WriterView) throws -> Bool
    ) throws {
        var outside = 0
        try FeatureDecoder(snapshot, indices: positions, known: prepared.decoded).forEach { position, decoded in
            do {
                let quake = try decoded.get()
                if quake.status?.lowercased() == "deleted" {
                    // A CSV document proves no absence.
                    if rules.facts.missingProperties.isEmpty {
                        deletedIDs.append(quake.id)
                    } else {
                        report.outdated += 1
                    }
                    return
                }
                if let expected, !expected.mayList(quake.originTime) { outside += 1 }
                guard try isAdmitted(quake, view) else { return }
                try judgeFeature(quake, at: position, in: .first)
            } catch let defect as FeatureDefect {
                // A deleted feature may lack everything but its id.
                if let id = prepared.deletedID(at: position) { return deletedIDs.append(id) }
                try skip(position, defect)
            }
        }
        for turn in FeatureIdentity.Turn.allCases.dropFirst() {
            let waiting = postponed
            postponed = []
            for (position, quake) in waiting {
                do {
                    try judgeFeature(quake, at: position, in: turn)
                } catch let defect as FeatureDefect {
                    try skip(position, defect)
                }
            }
        }
        if outside * 2 > snapshot.features.count {
            throw DocumentError(
                .unsuitable,
                "\(outside) of its \(snapshot.features.count) quakes lie outside the time range that it should cover")
        }
    }

    private mutating func judgeFeature(_ quake: Quake, at position: Int, in turn: FeatureIdentity.Turn) throws {
        let decision = try rules.judge(quake, in: turn, listed: outcome.listed, cache: view)
        outcome.add(decision)
        switch decision.outcome {
        case .postponed: postponed.append((position, quake))
        case .waiting: report.waiting += 1
        case .settled, .provisional, .outdated:
            report.count(decision)
            // Without a stored hash, the feature is judged again next time.
            let isSettled = decision.outcome == .settled
            try perform(decision.operations, hash: isSettled ? snapshot.features[position].hash : 0)
        }
    }

    /// Deletes the quake whose preferred id is `id`, because its feature is marked as deleted, unless a newer snapshot
    /// or this document lists the quake. The feature's other ids may belong to existing quakes.
    private mutating func delete(_ id: String) throws {
        guard let known = try view.quake(withOwnID: id), try view.confirmedUntil(known) <= view.sourceTime,
            !outcome.listed.contains(known.stored.key)
        else { return report.outdated += 1 }
        try listUnread(known.stored.key)
        try performAndCount([.delete(known.stored, reason: .retracted, mergedInto: nil)])
    }

    /// Skips an unreadable feature. If its id is readable, the quake with this preferred id does not count as missing.
    private mutating func skip(_ position: Int, _ defect: FeatureDefect) throws {
        let skipped = snapshot.skippedFeature(at: position, defect)
        report.skipped.append(skipped)
        if !skipped.isRepeated, let id = skipped.id, let known = try view.quake(withOwnID: id) {
            try listUnread(known.stored.key)
        }
    }

    /// Records that the document lists the quake under `key` with unreadable values.
    private mutating func listUnread(_ key: QuakeKey) throws {
        let decision = rules.decision(onUnreadable: key)
        outcome.add(decision)
        try perform(decision.operations)
    }

    /// In strict mode, rejects a document with any unreadable feature. Otherwise, rejects only a feed or file in which
    /// most features are unreadable. A copy of a feed without ids was once applied with 1,786 of 1,786 features
    /// skipped.
    private func refuseUnreadable() throws {
        if isStrict, !report.skipped.isEmpty { throw DocumentError.badFeatures(report.skipped) }
        // The service is asked about each unreadable feature of its responses.
        guard !rules.facts.isFromService else { return }
        let unreadable = report.skipped.count { !$0.isRepeated }
        let count = snapshot.features.count
        if unreadable > 0, unreadable == count || unreadable > 20 && unreadable * 2 > count {
            throw DocumentError(
                .unsuitable,
                "\(unreadable) of its \(count) quakes are unreadable, starting with "
                    + report.skipped[0].words)
        }
    }

    private mutating func perform(_ operations: [Operation], hash: Int64 = 0) throws {
        let rowSource = RowSource(hash: hash, sourceTime: view.sourceTime.milliseconds)
        for operation in operations {
            let key = try writer.perform(operation, rowSource, isFromService: rules.facts.isFromService)
            if let key { outcome.list(key) }
        }
    }
}

extension ClosedRange<Timestamp> {
    /// Returns whether a document for these times may list a quake with this origin time. The tolerance is an hour
    /// before the start and a day after the end.
    func mayList(_ originTime: Timestamp) -> Bool {
        originTime >= lowerBound - .seconds(3600) && originTime <= upperBound + .seconds(86_400)
    }
}

extension FeedSnapshot {
    /// Whether a feature has no readable id, so that it may be any quake.
    var hasNamelessFeature: Bool { features.indices.contains { id(at: $0)?.isEmpty ?? true } }

    /// Returns the ids of the features in lowercase, except at the positions in `ignored`.
    func lowercasedIDs(ignoring ignored: Set<Int> = []) -> Set<String> {
        Set(features.indices.lazy.filter { !ignored.contains($0) }.compactMap { id(at: $0)?.lowercased() })
    }
}
