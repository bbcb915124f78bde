import QuakeFeed
import QuakeModel
import QuakeStore

/// What the answer for a window of the catalog says beyond its features: which quakes were deleted, and what the cache
/// holds from now on. What it does not list may be hidden by a stale replica or by a condition of the question, so only
/// a feature with the status `deleted` deletes.
struct WindowApplication {
    private let answer: Answer
    private let stretch: CatalogStretch
    private let session: MirrorSession
    private let writer: QuakeWriter
    /// How many quakes the service counted before.
    private let counted: Int
    /// The claims that backfills made.
    private let claims: [Claim]
    private var snapshot: FeedSnapshot { answer.document }

    /// - Parameter counted: how many quakes the service counted before: an answer with fewer is not claimed.
    init(
        _ answer: Answer, of stretch: CatalogStretch, counted: Int, in session: MirrorSession, writer: QuakeWriter
    ) throws {
        (self.answer, self.stretch, self.counted) = (answer, stretch, counted)
        (self.session, self.writer) = (session, writer)
        claims = try writer.keptClaims()
    }

    /// Brings the cache to what the answer means.
    ///
    /// - Returns: what it did, and the keys of the quakes about which the service is to be asked singly. While there are
    ///   any, the window is not claimed.
    /// - Throws: ``DocumentError`` when the document is not valid.
    func run(_ report: RefreshReport) throws -> MirrorSession.Applied {
        let deleted = snapshot.deletedFeatures()
        let ignored = Set(deleted.map(\.index))
        let listedIDs = ListedIDs(absence: stretch.purpose == .update ? .unchanged : .gone(mustList: mustList)) {
            [snapshot] in snapshot.lowercasedIDs(ignoring: ignored)
        }
        let facts = SnapshotFacts(
            generated: answer.asOf, window: nil, countsAbsences: false, coveredBefore: coveredBefore,
            listedIDs: listedIDs, isCatalog: true)
        var features = try FeatureApplication(snapshot, facts, in: session, report, writer: writer)
        let fingerprints = try features.fingerprintsByID()
        let times = stretch.originTimes
        var (unasked, later) = (0, 0)
        try features.run(
            fingerprints: fingerprints, ignoring: ignored, expected: times.lowerBound...times.upperBound
        ) { quake, view in
            guard stretch.query.asksFor(quake) else {
                unasked += 1
                return false
            }
            if quake.originTime >= times.upperBound { later += 1 }
            return try isAdmitted(quake, view)
        }
        try writer.carrySource(of: features.seen, generated: answer.asOf)
        var open = try quakesWithoutTheirID(features, facts)
        for feature in deleted { open.formUnion(try delete(feature, listedIDs, &features)) }
        let laterKeys = Set(fingerprints.filter { $0.originTime >= times.upperBound }.map(\.key))
        if !laterKeys.isEmpty { later += features.seen.count(where: laterKeys.contains) }
        let unreadable = UnreadableFeatures(features.report.skipped, in: times)
        try unreadable.note(in: writer, listed: listedIDs)
        let sent =
            snapshot.features.count - unasked - features.report.skipped.count(where: \.isRepeated)
            - unreadable.unsent
        let window = BackfillWindow(
            originTimes: times, isUpdate: stretch.purpose == .update, asOf: answer.asOf,
            isOutdated: features.reconciler.withheld > 0, features: sent, quakes: sent - later)
        let asked = try open.sorted().filter { try features.view.knownQuake($0) != nil }
        if sent >= counted, asked.isEmpty, !window.isOutdated { try writer.claim(window, of: stretch) }
        features.report.window = window
        return (features.report, asked)
    }

    /// The origin times whose quakes the cache held before, for an update.
    private var coveredBefore: [ClosedRange<Timestamp>] {
        guard stretch.purpose == .update else { return [] }
        return claims.map {
            $0.originTimes.lowerBound...max($0.originTimes.lowerBound, min($0.originTimes.upperBound, $0.asOf))
        }
    }

    /// Whether the cache is to have the quake: one that it has, or that was asked for; in an update a new one of its
    /// claims. What was purged stays away from updates, because no claim is about it.
    private func isAdmitted(_ quake: Quake, _ view: WriterView) throws -> Bool {
        if isAskedFor(quake) { return true }
        return try view.isAdmitted(quake, claims: stretch.purpose == .update ? claims : [])
    }

    /// Notes the quakes that lost an id to a feature, and returns their keys with those of earlier ones in this window.
    private func quakesWithoutTheirID(
        _ features: FeatureApplication, _ facts: SnapshotFacts
    ) throws -> Set<QuakeKey> {
        var keys = features.reconciler.keysOfLostIDs
        try features.view.noteLostIDs(keys, facts)
        for doubt in try writer.doubts() where doubt.awaitsService {
            guard let time = try features.view.oldOriginTime(of: doubt.quakeKey, facts),
                stretch.originTimes.contains(time)
            else { continue }
            keys.insert(doubt.quakeKey)
        }
        return keys
    }

    /// Deletes the quake that `feature` stands for, unless the answer lists it too, a newer snapshot did, or it
    /// happened at a time that was not asked for. Returns the keys of quakes that have one of its other ids and that
    /// the answer need not list: the service may still have them.
    private func delete(
        _ feature: DeletedFeature, _ listedIDs: ListedIDs, _ features: inout FeatureApplication
    ) throws -> [QuakeKey] {
        var open: [QuakeKey] = []
        for id in feature.ids.sorted() {
            guard case .live(let key)? = try features.view.target(ofID: id),
                let known = try features.view.knownQuake(key),
                feature.ids.contains(known.stored.quake.id.lowercased()),
                !listedIDs.contains(known.stored.quake.id), try features.view.confirmedUntil(known) <= answer.asOf,
                (stretch.originTimes.lowerBound...stretch.originTimes.upperBound)
                    .mayList(known.stored.quake.originTime)
            else { continue }
            guard known.stored.quake.id.isSameID(as: feature.id ?? "") || mustList(known.stored.quake) else {
                open.append(key)
                continue
            }
            try features.perform(counting: [.delete(known.stored, reason: .retracted, mergedInto: nil)])
        }
        return open
    }

    /// Whether the answer lists the quake if the service has it as the cache does. An update lists only what changed,
    /// and an answer with fewer features than were counted may lack any.
    private func mustList(_ quake: Quake) -> Bool {
        isAskedFor(quake) && snapshot.features.count >= counted
    }

    private func isAskedFor(_ quake: Quake) -> Bool {
        stretch.purpose != .update && stretch.originTimes.contains(quake.originTime)
            && stretch.query.filter.accepts(quake)
    }
}

extension WriterView {
    /// Whether the cache is to have the quake: one that it has, or that `claims` are about.
    func isAdmitted(_ quake: Quake, claims: [Claim]) throws -> Bool {
        try claims.contains { $0.contains(quake) }
            || quake.aliases.contains { alias in
                guard case .live(let key)? = try target(ofID: alias),
                    let known = try knownQuake(key)?.stored.quake
                else { return false }
                return alias.isSameID(as: known.id) || alias.isSameID(as: quake.id) && known.has(alias)
            }
    }
}

extension WriterView {
    /// Notes that the quakes under `keys` lost an id to a feature of the catalog.
    ///
    /// Feeds do not list old quakes: only the service knows whether one still exists. The doubt stays until the service
    /// was asked, because another answer does not raise the question again.
    func noteLostIDs(_ keys: Set<QuakeKey>, _ facts: SnapshotFacts) throws {
        for key in keys where try oldOriginTime(of: key, facts) != nil {
            var doubt = Doubt(quakeKey: key, kind: .absent, generated: facts.generated)
            doubt.awaitsService = true
            try writer.note(doubt)
        }
    }

    /// The origin time of the quake under `key`; nil if feeds may list it.
    fileprivate func oldOriginTime(of key: QuakeKey, _ facts: SnapshotFacts) throws -> Timestamp? {
        guard let time = try knownQuake(key)?.stored.quake.originTime, facts.isBeyondFeeds(time) else { return nil }
        return time
    }
}

extension QuakeWriter {
    /// Notes that the answer about `window` was whole. What is newer than the answer is not claimed.
    func claim(_ window: BackfillWindow, of stretch: CatalogStretch) throws {
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
    }
}

extension CatalogQuery {
    /// Whether an answer may list `quake`. The circle that is requested is a little larger than the filter's, and
    /// times are asked for in whole seconds.
    fileprivate func asksFor(_ quake: Quake) -> Bool {
        var asked = filter
        asked.circle?.radiusKilometers *= 1.02
        (asked.since, asked.until) = (originTimes.lowerBound - .seconds(1), originTimes.upperBound + .seconds(2))
        return asked.accepts(quake)
    }
}
