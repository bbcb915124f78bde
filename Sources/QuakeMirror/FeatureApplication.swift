/// Judges the features of one document inside one transaction, and performs what they mean.
struct FeatureApplication {
    let snapshot: FeedSnapshot
    /// When the document was made, as the rules take it.
    let generated: Timestamp
    let session: MirrorSession
    let writer: QuakeWriter
    /// Whether the document is the event service's word about the catalog.
    private let isCatalog: Bool
    var report: RefreshReport
    /// The rules, which remember what the document lists.
    var reconciler: Reconciler
    let view: WriterView
    /// Keys of the quakes whose features the cache has seen in the very same bytes.
    private(set) var seen: [QuakeKey] = []
    /// The ids of features that say that they were deleted.
    private var withdrawn: [String] = []

    /// - Parameter facts: what the document says apart from its features.
    init(
        _ snapshot: FeedSnapshot, _ facts: SnapshotFacts, asksService: Bool = false, in session: MirrorSession,
        _ report: RefreshReport, writer: QuakeWriter
    ) throws {
        (self.snapshot, self.session, self.writer, self.report) = (snapshot, session, writer, report)
        (generated, isCatalog) = (facts.generated, facts.isCatalog)
        reconciler = Reconciler(
            facts: facts, settings: session.settings, asksService: asksService, doubts: try writer.doubts())
        view = WriterView(writer: writer, generated: generated)
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
        let others = try skipUnchanged(fingerprints)
        report.same = seen.count
        try perform(reconciler.expiredDoubts)
        try perform(reconciler.see(seen))
        try judge(ignored.isEmpty ? others : others.filter { !ignored.contains($0) }, expected, isAdmitted)
        for id in withdrawn { try delete(id) }
        try refuseUnreadable()
    }

    /// Performs what was found out apart from the features, and counts it.
    mutating func perform(counting operations: [Operation]) throws {
        report.count(operations)
        try perform(operations)
    }

    /// Hash and key of every quake in the cache whose id a feature has.
    func fingerprintsByID() throws -> [Fingerprint] {
        try snapshot.features.indices.compactMap { index in
            try snapshot.id(at: index).flatMap { try writer.fingerprint(ofID: $0) }
        }
    }

    /// Finds the features that need not be judged. Returns the positions of the others.
    private mutating func skipUnchanged(_ fingerprints: [Fingerprint]) throws -> [Int] {
        guard session.skipsUnchanged else { return Array(snapshot.features.indices) }
        let features = SeenFeatures(in: snapshot, fingerprints: fingerprints)
        if try features.isAnyListedAgain(in: snapshot, fingerprint: writer.fingerprint) {
            return Array(snapshot.features.indices)
        }
        seen = features.keys
        return features.others
    }

    private mutating func judge(
        _ positions: [Int], _ expected: ClosedRange<Timestamp>?, _ isAdmitted: (Quake, WriterView) throws -> Bool
    ) throws {
        var outside = 0
        try FeatureDecoder(snapshot, indices: positions).forEach { position, decoded in
            do {
                let quake = try decoded.get()
                if quake.status?.lowercased() == "deleted" { return withdrawn.append(quake.id) }
                if let expected, !expected.mayList(quake.originTime) { outside += 1 }
                guard try isAdmitted(quake, view) else { return }
                let operations = try reconciler.judge(quake, cache: view)
                report.countFeature(operations)
                // Without a hash it is judged again the next time.
                try perform(operations, hash: reconciler.isSettled ? snapshot.features[position].hash : 0)
            } catch let defect as FeatureDefect {
                // One that was deleted may lack everything but its id.
                if let id = snapshot.deletedFeature(at: position)?.id { return withdrawn.append(id) }
                try skip(position, defect)
            }
        }
        if outside * 2 > snapshot.features.count {
            throw DocumentError(
                .unsuitable,
                "\(outside) of its \(snapshot.features.count) quakes lie outside the requested time range")
        }
    }

    /// Deletes the quake with the preferred id `id`, whose feature says that it was deleted, unless a newer snapshot or
    /// this one lists it. The other ids of the feature may be those of living quakes.
    private mutating func delete(_ id: String) throws {
        guard case .live(let key)? = try view.target(ofID: id), let known = try view.knownQuake(key),
            known.stored.quake.id.isSameID(as: id), try view.confirmedUntil(known) <= generated,
            !reconciler.lists(key)
        else { return report.outdated += 1 }
        try perform(reconciler.seeUnread(key))
        try perform(counting: [.delete(known.stored, reason: .retracted, mergedInto: nil)])
    }

    /// Skips a bad feature. A quake that can still be identified is not missing.
    private mutating func skip(_ position: Int, _ defect: FeatureDefect) throws {
        let id = snapshot.id(at: position)
        let skipped = SkippedFeature(position: position + 1, id: id, defect: defect)
        report.skipped.append(skipped)
        if !skipped.isRepeated, let id, !id.isEmpty, let known = try writer.fingerprint(ofID: id) {
            try perform(reconciler.seeUnread(known.key))
        }
    }

    /// Refuses a document with unreadable features where they are not to be skipped, or where most are unreadable: a
    /// published copy without ids was once applied with 1,786 of 1,786 features skipped.
    private func refuseUnreadable() throws {
        if session.settings.isStrict, !report.skipped.isEmpty { throw DocumentError.badFeatures(report.skipped) }
        let unreadable = report.skipped.count { !$0.isRepeated }
        let count = snapshot.features.count
        // A window may be about one quake, which stays in question.
        if unreadable > 0, unreadable == count && !isCatalog || unreadable > 20 && unreadable * 2 > count {
            throw DocumentError(
                .unsuitable,
                "\(unreadable) of its \(count) features are unreadable, the first: "
                    + report.skipped[0].words)
        }
    }

    private mutating func perform(_ operations: [Operation], hash: Int64 = 0) throws {
        let rowSource = RowSource(hash: hash, generated: generated.milliseconds)
        for operation in operations {
            switch operation {
            case .delete(let stored, _, let survivor) where !isCatalog: try lose(stored, and: survivor)
            // The service may have both, as with an id that two events share.
            case .update(let stored, let quake, _, _) where !quake.has(stored.quake.id):
                try writer.lose(stored.quake, to: .document)
            default: break
            }
            if let key = try writer.perform(operation, rowSource) { reconciler.inserted(key) }
        }
    }

    /// Removes what the cache claimed about a quake that this document deletes, and about the one it is merged into,
    /// whose values may be those of the deleted one from now on: the service may have both.
    private func lose(_ stored: StoredQuake, and survivor: QuakeKey?) throws {
        let united = try survivor.flatMap { try writer.knownQuake($0) }?.stored
        for quake in [stored, united].compactMap({ $0?.quake }) { try writer.lose(quake, to: .document) }
    }
}

extension ClosedRange<Timestamp> {
    /// Whether a document about these times may list a quake of this one: an hour of tolerance back, a day ahead.
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
