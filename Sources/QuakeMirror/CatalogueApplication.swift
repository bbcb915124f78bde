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
    let stretch: CatalogueStretch
    /// The origin times that were asked for.
    let window: Range<Timestamp>
    /// When the answer was made, by the earlier of both clocks: what the service published before is in it.
    let asOf: Timestamp
    let settings: MirrorSettings
    /// What the cache holds of the catalogue.
    let parts: [CataloguePart]
    let writer: QuakeWriter

    /// Brings the cache to what the answer means.
    ///
    /// - Throws: ``DocumentError`` when the document is not valid.
    func run() throws -> AppliedFeatures {
        let deleted = snapshot.deletedFeatures()
        let ignored = Set(deleted.map(\.index))
        let listedIDs = ListedIDs { [snapshot] in snapshot.lowercasedIDs(ignoring: ignored) }
        let facts = SnapshotFacts(
            generated: asOf, window: nil, countsAbsences: false, coveredBefore: coveredBefore, listedIDs: listedIDs,
            isCatalogue: true)
        var application = FeatureApplication(
            snapshot, generated: asOf, isStrict: settings.isStrict,
            reconciler: Reconciler(facts: facts, settings: settings, doubts: try writer.doubts()), writer: writer)
        try application.run(
            fingerprints: try knownFingerprints(), ignoring: ignored,
            expected: window.lowerBound...window.upperBound, isAdmitted: isAdmitted)
        for feature in deleted {
            try delete(feature, listedIDs, &application)
        }
        try noteCoverage()
        return application.result
    }

    /// The origin times whose quakes the cache held before, for an update.
    private var coveredBefore: [ClosedRange<Timestamp>] {
        guard stretch.purpose == .update else { return [] }
        return parts.map {
            $0.originTimes.lowerBound...max($0.originTimes.lowerBound, min($0.originTimes.upperBound, $0.asOf))
        }
    }

    private func knownFingerprints() throws -> [Fingerprint] {
        try snapshot.features.indices.compactMap { index in
            try snapshot.id(at: index).flatMap { try writer.fingerprint(ofID: $0) }
        }
    }

    /// Whether the cache is to have the quake: one that it has, or that lies in the circle that was asked for (which is
    /// a little smaller than that of the question); in an update a new one of the parts that it holds. An update does
    /// not bring a purged quake back.
    private func isAdmitted(_ quake: Quake, _ view: WriterView) throws -> Bool {
        if stretch.purpose != .update, QuakeFilter(circle: stretch.query.filter.circle).accepts(quake) { return true }
        let targets = try quake.aliases.compactMap { try view.target(ofID: $0) }
        if targets.contains(where: { if case .live = $0 { true } else { false } }) { return true }
        guard stretch.purpose == .update else { return false }
        for case .departed(let key, _) in targets where try writer.wasPurged(key) { return false }
        return parts.contains { $0.contains(quake) }
    }

    /// Deletes the quake that `feature` stands for, unless the answer lists it too, or a newer snapshot did.
    private func delete(
        _ feature: DeletedFeature, _ listedIDs: ListedIDs, _ application: inout FeatureApplication
    ) throws {
        for id in feature.ids.sorted() {
            guard case .live(let key)? = try application.view.target(ofID: id),
                let known = try application.view.knownQuake(key),
                feature.ids.contains(known.stored.quake.id.lowercased()),
                !listedIDs.contains(known.stored.quake.id), try application.view.confirmedUntil(known) <= asOf
            else { continue }
            try application.perform(counting: [.delete(known.stored, reason: .retracted, mergedInto: nil)])
        }
    }

    private func noteCoverage() throws {
        switch stretch.purpose {
        case .update: try writer.advanceCatalogue(window, to: asOf)
        case .cover(let filter, let isOpenEnded, let heldAsOf):
            let end = min(window.upperBound, asOf)
            guard window.lowerBound < end else { return }
            try writer.cover(
                CataloguePart(
                    filter: filter, originTimes: window.lowerBound..<end, asOf: min(asOf, heldAsOf ?? asOf),
                    isOpenEnded: isOpenEnded))
            // An answer without conditions lists what a feed would have listed.
            if stretch.query.filter == QuakeFilter() { try writer.fill(window.lowerBound...end) }
        }
    }
}
