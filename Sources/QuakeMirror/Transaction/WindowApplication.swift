/// Applies the response for a window of the catalog: its features, deletions, and new coverage. A quake missing from
/// the response may be hidden by a stale replica or by a condition of the query, so only a feature with the status
/// `deleted` deletes a quake.
struct WindowApplication {
    private let prepared: PreparedFeatures
    /// The requested window.
    private let request: RequestedRange
    /// The conditions of the request other than its origin times.
    private let conditions: [FilterCondition]
    private let settings: MirrorSettings
    private let sources: SourceRecords
    private let writer: QuakeWriter
    /// The number of quakes that the service counted before the request.
    private let counted: Int
    /// For an update, the covered ranges of backfills; empty otherwise.
    private let backfilled: [CoveredRange]
    private let deleted: [DeletedFeature]
    private var snapshot: FeedSnapshot { prepared.snapshot }
    /// The time of the response, by which documents are ordered (rule 10).
    private var sourceTime: Timestamp { snapshot.sourceTime }

    /// - Parameters:
    ///   - counted: the service's earlier count. A response with a different number does not count as coverage.
    ///   - deleted: the features of deleted quakes in the response.
    init(
        _ prepared: PreparedFeatures, of request: RequestedRange, counted: Int, deleted: [DeletedFeature],
        _ settings: MirrorSettings, _ sources: SourceRecords, _ writer: QuakeWriter
    ) throws {
        self.prepared = prepared
        self.request = request
        conditions = request.query.filter.conditions
        self.counted = counted
        self.settings = settings
        self.sources = sources
        self.writer = writer
        self.deleted = deleted
        backfilled =
            request.purpose == .update ? try writer.coverage().coveredRanges.filter { $0.source == .backfill } : []
    }

    /// Applies the response to the cache.
    ///
    /// - Throws: ``DocumentError`` when the document is not valid.
    func run(_ report: RefreshReport) throws -> RefreshReport {
        let ignored = Set(deleted.map(\.index))
        let times = request.originTimes
        let listing = DocumentListing(
            kind, wouldList: { SnapshotFacts.wouldList($0.originTime, in: times) }, isWhole: isWhole
        ) { [snapshot] in snapshot.lowercasedIDs(ignoring: ignored) }
        let facts = SnapshotFacts(
            sourceTime: sourceTime, coveredBefore: coveredBefore, listing: listing, ambiguousFeatures: .askService,
            timesToFetchAgain: try timesToFetchAgain, isFromService: true)
        var features = try SnapshotTransaction(
            prepared.updated(from: sources), facts, settings, report, writer: writer)
        var count = WindowCount(request.query, snapshot.uncertainties)
        for known in try features.seen.compactMap(writer.knownQuake) { _ = count.add(known.stored.quake) }
        try features.run(ignoring: ignored, expected: times.lowerBound...times.upperBound) { quake, view in
            try count.add(quake) && isAdmitted(quake, view)
        }
        try writer.recordSourceTime(of: features.seen, sourceTime: sourceTime)
        for quake in features.outcome.undecidedQuakes { try writer.recordLostCoverage(of: quake, because: .document) }
        for feature in deleted { try delete(feature, listing, &features) }
        let unreadable = IDInQuestion.unreadable(features.report.skipped, in: times, raised: sourceTime)
        for feature in features.report.skipped where !feature.isRepeated { count.addUnreadable(id: feature.id) }
        // If the cache has newer information about some of the quakes, the response proves nothing about coverage.
        let incomplete: IncompleteWindow.Reason? =
            if !features.outcome.disputedOriginTimes.isEmpty {
                .outdated(asOf: sourceTime)
            } else if count.features != counted {
                .countMismatch(counted: counted, sent: count.features)
            } else {
                nil
            }
        // Missing rows of uncertainties do not keep the window from being recorded as covered.
        let lacking: IncompleteWindow.Reason? =
            count.withoutUncertainties > 0
            ? .uncertaintiesMissing(quakes: count.withoutUncertainties, of: count.features - count.afterWindow) : nil
        let window = BackfillWindow(
            originTimes: times, isUpdate: request.purpose == .update, asOf: sourceTime,
            incomplete: incomplete ?? lacking,
            features: count.features, quakes: count.features - count.afterWindow)
        try writer.settleIDs(
            listedIn: snapshot, ignoring: ignored, skipped: features.report.skipped, at: sourceTime)
        if incomplete == nil {
            try recordCoverage(window)
            try putUnlistedInQuestion(after: features)
        }
        try writer.putInQuestion(features.outcome.idsInQuestion + unreadable)
        features.report.skipped += snapshot.unreadableUncertainties(ignoring: ignored)
        features.report.window = window
        return features.report
    }

    /// Whether the response includes uncertainties; true if it lists no quakes.
    private var hasUncertainties: Bool { snapshot.uncertainties != nil || snapshot.features.isEmpty }

    /// For an update, the origin times for which backfills requested all quakes, without conditions; empty otherwise.
    private var timesToFetchAgain: RangeSet<Timestamp> {
        get throws {
            guard request.purpose == .update else { return RangeSet() }
            return try writer.coverage().requested[Coverage.Part(QuakeFilter())] ?? RangeSet()
        }
    }

    /// For an update, the origin times that backfills have covered so far; empty otherwise.
    private var coveredBefore: [ClosedRange<Timestamp>] {
        backfilled.map {
            $0.originTimes.lowerBound...max($0.originTimes.lowerBound, min($0.originTimes.upperBound, $0.asOf))
        }
    }

    /// Returns whether the quake may be added or updated: it was requested, is in the cache or, in an update, lies in
    /// backfilled coverage. Updates do not restore purged quakes, because these are not covered.
    private func isAdmitted(_ quake: Quake, _ view: WriterView) throws -> Bool {
        try isAskedFor(quake) || view.isAdmitted(quake, in: backfilled)
    }

    /// Deletes the quake that `feature` represents, unless the response also lists it, or its origin time was not
    /// requested. A quake that only shares an id with `feature` is in question, because the service may still have it.
    private func delete(
        _ feature: DeletedFeature, _ listing: DocumentListing, _ features: inout SnapshotTransaction
    ) throws {
        let times = request.originTimes.lowerBound...request.originTimes.upperBound
        for id in feature.ids.sorted() where !listing.contains(id) {
            guard let known = try features.view.quake(withOwnID: id), times.mayList(known.stored.quake.originTime)
            else { continue }
            switch try feature.meaning(for: known, confirmedUntil: features.view.confirmedUntil(known)) {
            case .deleted:
                try features.performAndCount([.delete(known.stored, reason: .retracted, mergedInto: nil)])
            case .inQuestion(let reason):
                try writer.putInQuestion([IDInQuestion(about: known.stored.quake, reason, raised: sourceTime)])
            }
        }
    }

    /// The meaning of a quake's absence from the response. With conditions, a quake may be absent only because its
    /// values were revised.
    private var kind: DocumentListing.Kind {
        if request.purpose == .update { return .changes }
        return request.query.filter == QuakeFilter() ? .catalog : .partial
    }

    /// Returns whether the response has as many features as the service counted. Otherwise, any quake may be missing.
    private func isWhole() -> Bool {
        let ignored = Set(deleted.map(\.index))
        let indices = snapshot.features.indices.filter { !ignored.contains($0) }
        var count = WindowCount(request.query)
        FeatureDecoder(snapshot, indices: indices, known: prepared.decoded).forEach { position, decoded in
            switch decoded {
            case .success(let quake): _ = count.add(quake)
            case .failure: count.addUnreadable(id: snapshot.id(at: position))
            }
        }
        return count.features == counted
    }

    private func isAskedFor(_ quake: Quake) -> Bool {
        request.purpose != .update && request.originTimes.contains(quake.originTime)
            && conditions.hold(for: quake)
    }

    /// Marks as in question (``/QuakeStore/IDInQuestion``) the ids of cached quakes that are missing from a complete
    /// response. The service reports some deletions only under another id.
    private func putUnlistedInQuestion(after features: SnapshotTransaction) throws {
        guard request.purpose != .update else { return }
        let times = request.originTimes
        let cached = try sources.fingerprints(in: times.lowerBound...times.upperBound)
        let unlisted = try cached.compactMap { row in
            features.outcome.listed.contains(row.key) ? nil : try writer.knownQuake(row.key)
        }
        try writer.putInQuestion(
            unlisted.filter { known in
                try isAskedFor(known.stored.quake) && features.view.confirmedUntil(known) <= sourceTime
            }
            .map {
                IDInQuestion(
                    about: $0.stored.quake, "the service does not list it", raised: sourceTime)
            })
    }

    /// Records the window as covered, up to the time of the response.
    private func recordCoverage(_ window: BackfillWindow) throws {
        let end = min(window.originTimes.upperBound, window.asOf)
        guard window.originTimes.lowerBound < end else { return }
        if request.purpose == .update {
            let start = request.query.updatedAfter.map { $0 + RequestedRange.overlap } ?? window.asOf
            try writer.changeCoverage {
                $0.advance(window.originTimes, from: start, to: window.asOf, hasUncertainties: hasUncertainties)
            }
        } else {
            let times = window.originTimes.lowerBound..<end
            let range = CoveredRange(conditions: request.query.filter, originTimes: times, asOf: window.asOf)
            try writer.changeCoverage { coverage in
                coverage.add(range)
                guard hasUncertainties else { return }
                for times in request.uncertainties.intersection(RangeSet([times])).ranges {
                    var read = range
                    read.source = .uncertainties
                    read.originTimes = times
                    coverage.add(read)
                }
            }
        }
    }
}
