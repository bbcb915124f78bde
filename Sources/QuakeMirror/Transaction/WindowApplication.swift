/// Applies the response for a window of the catalog: its features, deletions, and new coverage. A quake missing from
/// the response may be hidden by a stale replica or by a condition of the query, so only a feature with the status
/// `deleted` deletes a quake.
struct WindowApplication {
    private let answer: Response
    private let prepared: PreparedFeatures
    private let stretch: CatalogRange
    private let session: MirrorSession
    private let writer: QuakeWriter
    /// The number of quakes that the service counted before the request.
    private let counted: Int
    /// For an update, the covered ranges of backfills; empty otherwise.
    private let backfilled: [CoveredRange]
    private let deleted: [DeletedFeature]
    private var snapshot: FeedSnapshot { answer.document }

    /// - Parameters:
    ///   - counted: the service's earlier count. A response with a different number does not count as coverage.
    ///   - deleted: the features of `answer` for deleted quakes.
    init(
        _ answer: Response, _ prepared: PreparedFeatures, of stretch: CatalogRange, counted: Int,
        deleted: [DeletedFeature], in session: MirrorSession, writer: QuakeWriter
    ) throws {
        self.answer = answer
        self.prepared = prepared
        self.stretch = stretch
        self.counted = counted
        self.deleted = deleted
        self.session = session
        self.writer = writer
        backfilled =
            stretch.purpose == .update ? try writer.coverage().coveredRanges.filter { $0.source == .backfill } : []
    }

    /// Applies the response to the cache.
    ///
    /// - Throws: ``DocumentError`` when the document is not valid.
    func run(_ report: RefreshReport) throws -> RefreshReport {
        let ignored = Set(deleted.map(\.index))
        let isUpdate = stretch.purpose == .update
        let times = stretch.originTimes
        let listing = Listing(
            kind, wouldList: { SnapshotFacts.wouldList($0.originTime, in: times) }, isWhole: isWhole
        ) { [snapshot] in snapshot.lowercasedIDs(ignoring: ignored) }
        let facts = SnapshotFacts(
            sourceTime: answer.sourceTime, coveredBefore: coveredBefore, listing: listing, undecided: .asked,
            fetchedWhole: try fetchedWhole, isCatalog: true)
        var features = try SnapshotTransaction(
            prepared.updated(from: session.context.sources), facts, session.settings, report, writer: writer)
        var unasked = 0
        var later = 0
        func count(_ quake: Quake) -> Bool {
            guard stretch.query.asksFor(quake) else {
                unasked += 1
                return false
            }
            if quake.originTime >= times.upperBound { later += 1 }
            return true
        }
        try features.run(ignoring: ignored, expected: times.lowerBound...times.upperBound) { quake, view in
            try count(quake) && isAdmitted(quake, view)
        }
        for known in try features.seen.compactMap(writer.knownQuake) { _ = count(known.stored.quake) }
        try writer.carrySource(of: features.seen, sourceTime: answer.sourceTime)
        for quake in features.outcome.uncertain { try writer.lose(quake, to: .document) }
        for feature in deleted { try delete(feature, listing, &features) }
        let unreadable = UnreadableFeatures(features.report.skipped, in: times, raised: answer.sourceTime)
        let repeated = features.report.skipped.count(where: \.isRepeated)
        let sent = snapshot.features.count - ignored.count - unasked - repeated - unreadable.unsent
        let window = BackfillWindow(
            originTimes: times, isUpdate: isUpdate, asOf: answer.sourceTime,
            isOutdated: !features.outcome.withheld.isEmpty, features: sent, quakes: sent - later)
        try writer.settleIDs(
            listedIn: snapshot, ignoring: ignored, skipped: features.report.skipped, at: answer.sourceTime)
        if sent == counted, !window.isOutdated {
            try recordCoverage(window)
            try noteUnlisted(after: features)
        }
        try writer.putInQuestion(features.outcome.idsInQuestion + unreadable.idsInQuestion)
        features.report.window = window
        return features.report
    }

    /// For an update, the origin times that backfills requested whatever the quakes; empty otherwise.
    private var fetchedWhole: RangeSet<Timestamp> {
        get throws {
            guard stretch.purpose == .update else { return RangeSet() }
            return try writer.coverage().requested[QuakeFilter()] ?? RangeSet()
        }
    }

    /// For an update, the origin times that backfills have covered so far; empty otherwise.
    private var coveredBefore: [ClosedRange<Timestamp>] {
        backfilled.map {
            $0.originTimes.lowerBound...max($0.originTimes.lowerBound, min($0.originTimes.upperBound, $0.asOf))
        }
    }

    /// Returns whether to admit the quake: if it was requested, is in the cache or, in an update, lies in backfilled
    /// coverage. Updates do not restore purged quakes, because these are not covered.
    private func isAdmitted(_ quake: Quake, _ view: WriterView) throws -> Bool {
        try isAskedFor(quake) || view.isAdmitted(quake, in: backfilled)
    }

    /// Deletes the quake that `feature` represents, unless the response also lists it, or its origin time was not
    /// requested. A quake that only shares an id with `feature` is in question, because the service may still have it.
    private func delete(
        _ feature: DeletedFeature, _ listing: Listing, _ features: inout SnapshotTransaction
    ) throws {
        let times = stretch.originTimes.lowerBound...stretch.originTimes.upperBound
        for id in feature.ids.sorted() where !listing.contains(id) {
            guard let known = try features.view.quake(withOwnID: id), times.mayList(known.stored.quake.originTime)
            else { continue }
            switch try feature.verdict(on: known, confirmedUntil: features.view.confirmedUntil(known)) {
            case .deleted:
                try features.perform(counting: [.delete(known.stored, reason: .retracted, mergedInto: nil)])
            case .inQuestion(let reason):
                try writer.putInQuestion([IDInQuestion(about: known.stored.quake, reason, raised: answer.sourceTime)])
            }
        }
    }

    /// The meaning of a quake's absence. A condition may hide a quake whose values were revised.
    private var kind: Listing.Kind {
        if stretch.purpose == .update { return .changes }
        return stretch.query.filter == QuakeFilter() ? .catalog : .partial
    }

    /// Returns whether the response has as many of the requested features as the service counted, by the same rule as
    /// for coverage. With fewer, any quake may be missing.
    private func isWhole() -> Bool {
        let ignored = Set(deleted.map(\.index))
        let indices = snapshot.features.indices.filter { !ignored.contains($0) }
        var ids: Set<String> = []
        var sent = 0
        FeatureDecoder(snapshot, indices: indices, known: prepared.decoded).forEach { position, decoded in
            switch decoded {
            case .success(let quake):
                if ids.insert(quake.id.lowercased()).inserted, stretch.query.asksFor(quake) { sent += 1 }
            case .failure:
                if snapshot.id(at: position)?.isEmpty == false { sent += 1 }
            }
        }
        return sent == counted
    }

    private func isAskedFor(_ quake: Quake) -> Bool {
        stretch.purpose != .update && stretch.originTimes.contains(quake.originTime)
            && stretch.query.filter.accepts(quake)
    }

    /// Records as unresolved the quakes missing from a complete response. The service knows some deletions only under
    /// another id.
    private func noteUnlisted(after features: SnapshotTransaction) throws {
        guard stretch.purpose != .update else { return }
        let times = stretch.originTimes
        let cached = try session.context.sources.fingerprints(in: times.lowerBound...times.upperBound)
        let unlisted = try cached.compactMap { row in
            features.outcome.listed.contains(row.key) ? nil : try writer.knownQuake(row.key)
        }
        try writer.putInQuestion(
            unlisted.filter { known in
                try isAskedFor(known.stored.quake) && features.view.confirmedUntil(known) <= answer.sourceTime
            }
            .map {
                IDInQuestion(
                    about: $0.stored.quake, "the service does not list it", raised: answer.sourceTime)
            })
    }

    /// Records the window as covered, up to the time of the response.
    private func recordCoverage(_ window: BackfillWindow) throws {
        let end = min(window.originTimes.upperBound, window.asOf)
        guard window.originTimes.lowerBound < end else { return }
        if stretch.purpose == .update {
            let start = stretch.query.updatedAfter.map { $0 + CatalogPlan.overlap } ?? window.asOf
            try writer.changeCoverage { $0.advance(window.originTimes, from: start, to: window.asOf) }
        } else {
            try writer.add(
                CoveredRange(
                    conditions: stretch.query.filter, originTimes: window.originTimes.lowerBound..<end,
                    asOf: window.asOf))
        }
    }
}

extension CatalogQuery {
    /// Returns whether a response may list `quake`. The requested circle is slightly larger than the filter's, and
    /// times are requested in whole seconds.
    fileprivate func asksFor(_ quake: Quake) -> Bool {
        var asked = filter
        for index in asked.circles.indices { asked.circles[index].radiusKilometers *= 1.02 }
        asked.since = originTimes.lowerBound - .seconds(1)
        asked.until = originTimes.upperBound + .seconds(2)
        return asked.accepts(quake) && updatedAfter.map { quake.updated >= $0 - .seconds(1) } ?? true
    }
}
