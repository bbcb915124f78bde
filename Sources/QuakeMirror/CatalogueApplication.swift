import QuakeFeed
import QuakeModel
import QuakeStore

/// Applies one answer of the event service about the catalogue inside one transaction: its quakes, the deletions that
/// it reports, and what the cache holds from now on.
///
/// Need: the answer says outright which quakes exist and which were deleted. Hazard: what it does not list may be
/// hidden by a stale replica or by a condition of the question. Choice: only a feature with the status `deleted`
/// deletes; a missing one means nothing. Price: an event that disappears without being reported stays.
struct CatalogueApplication {
    let snapshot: FeedSnapshot
    /// What was asked for.
    let stretch: CatalogueStretch
    /// When the answer was made, by the earlier of both clocks: what the service published before is in it.
    let asOf: Timestamp
    let settings: MirrorSettings
    let writer: QuakeWriter

    /// Brings the cache to what the answer means.
    ///
    /// - Parameter proof: the windows that this one proves whole, itself among them; nil to note it until then.
    /// - Throws: ``DocumentError`` when the document is not valid.
    func run(proof: (FetchedWindow) -> [FetchedWindow]?) throws -> (AppliedFeatures, FetchedWindow) {
        let deleted = snapshot.deletedFeatures()
        let ignored = Set(deleted.map(\.index))
        let listedIDs = ListedIDs { [snapshot] in snapshot.lowercasedIDs(ignoring: ignored) }
        let claims = try writer.claims().filter { $0.source == .backfill }
        let facts = SnapshotFacts(
            generated: asOf, window: nil, countsAbsences: false, coveredBefore: coveredBefore(claims),
            listedIDs: listedIDs, isCatalogue: true)
        var application = FeatureApplication(
            snapshot, generated: asOf, isStrict: settings.isStrict,
            reconciler: Reconciler(facts: facts, settings: settings, doubts: try writer.doubts()), writer: writer)
        var unasked = 0
        try application.run(
            fingerprints: try knownFingerprints(), ignoring: ignored,
            expected: stretch.originTimes.lowerBound...stretch.originTimes.upperBound
        ) { quake, view in
            guard stretch.query.asksFor(quake) else {
                unasked += 1
                return false
            }
            return try isAdmitted(quake, claims, view)
        }
        for feature in deleted {
            try delete(feature, listedIDs, &application)
        }
        let result = application.result
        let repeated = result.skipped.count { if case .duplicate = $0.defect { true } else { false } }
        let window = FetchedWindow(
            originTimes: stretch.originTimes, asOf: asOf, features: snapshot.features.count - unasked - repeated)
        if let proven = proof(window) {
            try writer.claim(proven, of: stretch)
        } else if stretch.purpose != .update {
            try writer.note(window, of: stretch.query.question)
        }
        return (result, window)
    }

    /// The origin times whose quakes the cache held before, for an update.
    private func coveredBefore(_ claims: [Claim]) -> [ClosedRange<Timestamp>] {
        guard stretch.purpose == .update else { return [] }
        return claims.map {
            $0.originTimes.lowerBound...max($0.originTimes.lowerBound, min($0.originTimes.upperBound, $0.asOf))
        }
    }

    private func knownFingerprints() throws -> [Fingerprint] {
        try snapshot.features.indices.compactMap { index in
            try snapshot.id(at: index).flatMap { try writer.fingerprint(ofID: $0) }
        }
    }

    /// Whether the cache is to have the quake: one that it has, or that was asked for; in an update a new one of its
    /// claims. What was purged stays away from updates, because no claim is about it.
    private func isAdmitted(_ quake: Quake, _ claims: [Claim], _ view: WriterView) throws -> Bool {
        switch stretch.purpose {
        case .claim:
            if stretch.originTimes.contains(quake.originTime), stretch.query.filter.accepts(quake) { return true }
        case .update: if claims.contains(where: { $0.contains(quake) }) { return true }
        }
        return try quake.aliases.contains { alias in
            if case .live? = try view.target(ofID: alias) { true } else { false }
        }
    }

    /// Deletes the quake that `feature` stands for, unless the answer lists it too, a newer snapshot did, or it
    /// happened at a time that was not asked for.
    private func delete(
        _ feature: DeletedFeature, _ listedIDs: ListedIDs, _ application: inout FeatureApplication
    ) throws {
        for id in feature.ids.sorted() {
            guard case .live(let key)? = try application.view.target(ofID: id),
                let known = try application.view.knownQuake(key),
                feature.ids.contains(known.stored.quake.id.lowercased()),
                !listedIDs.contains(known.stored.quake.id), try application.view.confirmedUntil(known) <= asOf,
                (stretch.originTimes.lowerBound...stretch.originTimes.upperBound)
                    .mayList(known.stored.quake.originTime)
            else { continue }
            try application.perform(counting: [.delete(known.stored, reason: .retracted, mergedInto: nil)])
        }
    }
}

extension QuakeWriter {
    /// Notes that the answers to `stretch` in `windows` were whole. What they are older than is not claimed.
    func claim(_ windows: [FetchedWindow], of stretch: CatalogueStretch) throws {
        for window in windows {
            let end = min(window.originTimes.upperBound, window.asOf)
            switch stretch.purpose {
            case .update: try advanceClaims(window.originTimes, to: window.asOf)
            case .claim(let isOpenEnded) where window.originTimes.lowerBound < end:
                try add(
                    Claim(
                        conditions: stretch.query.filter, originTimes: window.originTimes.lowerBound..<end,
                        asOf: window.asOf, isOpenEnded: isOpenEnded))
            case .claim: break
            }
            try forgetWindows(of: stretch.query.question, in: window.originTimes)
        }
    }
}

extension CatalogueQuery {
    /// Whether an answer may list `quake`. The circle that is asked for is a little larger than that of the filter, and
    /// times are asked for in whole seconds.
    fileprivate func asksFor(_ quake: Quake) -> Bool {
        var asked = filter
        asked.circle?.radiusKilometers *= 1.02
        (asked.since, asked.until) = (originTimes.lowerBound - .seconds(1), originTimes.upperBound + .seconds(2))
        return asked.accepts(quake)
    }
}
