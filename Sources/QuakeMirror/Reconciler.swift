/// What a snapshot says apart from its features, as the rules need it.
struct SnapshotFacts {
    /// When the source says that it was made; orders snapshots (rule 10).
    let generated: Timestamp
    /// The origin times it covers, when it is a summary feed (rule 6).
    let window: ClosedRange<Timestamp>?
    /// Whether a quake missing from it may be gone: a complete feed, whole, newer than any applied (rule 7).
    let countsAbsences: Bool
    /// The origin times that the newest applied snapshots of the complete feeds covered.
    let coveredBefore: [ClosedRange<Timestamp>]
    /// The ids of all its features.
    var listedIDs: ListedIDs
    /// Whether it is an answer of the event service about the catalog, and not a feed.
    var isCatalog = false

    /// How far from the edges of its window a quake must lie for its absence to count: clocks differ, replicas lag.
    static let margin = Duration.seconds(60)

    /// The origin times for which absence counts.
    var certainWindow: ClosedRange<Timestamp>? {
        guard countsAbsences, let window else { return nil }
        return window.lowerBound + SnapshotFacts.margin...window.upperBound - SnapshotFacts.margin
    }

    /// Whether a quake of this origin time is so old that no feed lists it. Then no snapshot to come can repeat or
    /// contradict what the catalog says, so that nothing is gained by noting it as doubtful.
    func isBeyondFeeds(_ originTime: Timestamp) -> Bool {
        isCatalog && originTime < generated - FeedName.Period.month.window
    }

    /// Whether an earlier snapshot should have listed a quake of this origin time, had it been known an hour after.
    ///
    /// A quarter of all quakes appear more than an hour after they happened.
    func isLate(_ originTime: Timestamp) -> Bool {
        coveredBefore.contains { $0.lowerBound < originTime && originTime + .seconds(3600) < $0.upperBound }
    }
}

/// What a snapshot means for the cache: pure rules, no I/O of its own. Features are judged in the order of the
/// document, each answer applied before the next, so that ``CacheView`` shows the present. ``absences(among:cache:)``
/// then judges what was not listed.
struct Reconciler {
    private let facts: SnapshotFacts
    private let doubtRules: DoubtRules
    /// Keys of the quakes the snapshot lists.
    private var present: Set<QuakeKey> = []
    /// The same in the order of the document, which is mostly that of the keys or its reverse and so quick to sort.
    private var presentInOrder: [QuakeKey] = []
    /// Those of them whose listed values are not the cache's: unread, doubtful, or older than what it holds.
    private var unconfirmed: Set<QuakeKey> = []
    /// Keys of the quakes that lost an id because a feature has it as its own.
    private var deprived: Set<QuakeKey> = []
    /// Keys of the quakes whose preferred ids features list, though the snapshot cannot tell whether they are one.
    private var outOfReach: Set<QuakeKey> = []

    /// The origin times of the listed quakes that the cache does not have, or under other ids alone or at another time,
    /// because of newer news.
    private(set) var withheld: Set<Timestamp> = []

    /// Whether the feature judged last may be skipped when it comes again in the same bytes.
    private(set) var isSettled = true
    private let asksService: Bool

    /// - Parameter asksService: a confirmed absence waits for the answer of the event service.
    init(facts: SnapshotFacts, settings: MirrorSettings, asksService: Bool = false, doubts: [Doubt]) {
        (self.facts, self.asksService) = (facts, asksService)
        doubtRules = DoubtRules(settings: settings, generated: facts.generated, doubts: doubts)
    }

    /// Keys of the quakes whose values in the cache this snapshot confirms.
    var confirmed: ListedKeys {
        ListedKeys(unconfirmed.isEmpty ? presentInOrder : presentInOrder.filter { !unconfirmed.contains($0) })
    }

    /// Keys of the quakes that lost an id to a feature and are not listed: each may be the same quake as the feature.
    var keysOfLostIDs: Set<QuakeKey> { deprived.subtracting(present) }

    /// Keys of the quakes that features may be, and that are not listed.
    var keysOutOfReach: Set<QuakeKey> { outOfReach.subtracting(present) }

    /// Drops the doubts that no snapshot can decide anymore.
    var expiredDoubts: [Operation] { doubtRules.expired }

    /// Counts the quakes under `keys` as listed with the values the cache holds. Contradicts all doubts about them.
    mutating func see(_ keys: [QuakeKey]) -> [Operation] {
        present.reserveCapacity(keys.count)
        presentInOrder.reserveCapacity(keys.count)
        keys.forEach { list($0) }
        return doubtRules.isEmpty ? [] : keys.flatMap { doubtRules.contradicted(Doubt.Kind.allCases, by: $0) }
    }

    /// Counts the quake under `key` as listed with values that cannot be read.
    mutating func seeUnread(_ key: QuakeKey) -> [Operation] {
        list(key)
        unconfirmed.insert(key)
        return doubtRules.contradicted([.absent], by: key)
    }

    /// Judges one feature. Inserts are reported back with ``inserted(_:)``, once their key is known.
    ///
    /// - Throws: ``FeatureDefect`` for one whose id the snapshot has listed before; the first stands.
    mutating func judge(_ feature: Quake, cache: some CacheView) throws -> [Operation] {
        let identity = try Identity(of: feature, listedIDs: facts.listedIDs, claimed: present, cache: cache)
        guard !identity.isRepeated else { throw FeatureDefect.duplicate(id: feature.id) }
        guard let survivor = identity.survivor else {
            // Rule 10: a newer snapshot decided that the quake is part of another one.
            if let holder = identity.splitFrom, try cache.confirmedUntil(holder) > facts.generated {
                withheld.formUnion([feature.originTime, holder.stored.quake.originTime])
                return []
            }
            noteLostID(identity)
            return judgeUnknown(feature, identity)
        }
        identity.quakes.forEach { list($0.stored.key) }
        // Rule 10: an older snapshot never changes what a newer one confirmed.
        guard try identity.quakes.allSatisfy({ try cache.confirmedUntil($0) <= facts.generated }) else {
            unconfirmed.formUnion(identity.quakes.map(\.stored.key))
            let isListed = identity.quakes.contains { known in
                known.stored.quake.id.isSameID(as: feature.id) && known.stored.quake.originTime == feature.originTime
            }
            if !isListed { withheld.formUnion(([feature] + identity.quakes.map(\.stored.quake)).map(\.originTime)) }
            return []
        }
        noteLostID(identity)
        let merged = identity.quakes.filter { $0.stored.key != survivor.stored.key }
        let deletions = merged.map {
            Operation.delete($0.stored, reason: .merged, mergedInto: survivor.stored.key)
        }
        return deletions + doubtRules.contradicted([.absent], by: survivor.stored.key)
            + judgeValues(of: feature, identity, for: survivor.stored, isMerge: !merged.isEmpty)
    }

    private mutating func noteLostID(_ identity: Identity) {
        if let holder = identity.splitFrom { deprived.insert(holder.stored.key) }
        outOfReach.formUnion(identity.outOfReach)
    }

    /// Judges the values of a feature that is the quake `stored`: first its stamp, then its name, then the rest.
    private mutating func judgeValues(
        of feature: Quake, _ identity: Identity, for stored: StoredQuake, isMerge: Bool
    ) -> [Operation] {
        let isRename = !stored.quake.id.isSameID(as: feature.id)
        guard isRename || !feature.differences(from: stored.quake).isEmpty else {
            isSettled = identity.isSettled(on: stored.key, assigning: false)
            return doubtRules.contradicted([.backward, .place], by: stored.key) + [.confirm(stored.key)]
        }
        let isReturn = isRename && identity.preferredIDResolves(to: stored.key)
        let allowsOlderVersion = isMerge || (isRename && !isReturn)
        let stamp = compareUpdatedTime(of: feature, for: stored, allowsOlderVersion: allowsOlderVersion)
        let name = judgeName(of: feature, for: stored, isStale: !stamp.isBelieved)
        var values = stamp.isBelieved ? feature : stored.quake
        if !stamp.isBelieved {
            unconfirmed.insert(stored.key)
            if isRename, !facts.isBeyondFeeds(stored.quake.originTime) {
                withheld.formUnion([feature.originTime, stored.quake.originTime])
            }
        }
        values.takePlaceName(of: name.isBelieved ? feature : stored.quake)
        // Bytes that do not have the values of the cache must be judged again, so that each sighting counts.
        isSettled = stamp.isBelieved && name.isBelieved && identity.isSettled(on: stored.key, assigning: true)
        let operations = stamp.operations + name.operations
        guard stamp.isBelieved && isRename || !values.differences(from: stored.quake).isEmpty else {
            let isNoted = operations.contains { if case .note = $0 { true } else { false } }
            return stamp.isBelieved && !isNoted ? operations + [.confirm(stored.key)] : operations
        }
        let update = Operation.update(
            stored, to: values, reason: stamp.isBelieved && isRename ? .renamed : .revised,
            aliases: stamp.isBelieved ? identity.aliasesToAssign(to: stored.key) : [])
        return operations + [update]
    }

    /// What is to be done about one part of a feature.
    private typealias Judgment = (isBelieved: Bool, operations: [Operation])

    /// Judges the stamp of a feature (rule 11): if it is older than the cache's, all values are unconfirmed.
    private func compareUpdatedTime(of feature: Quake, for stored: StoredQuake, allowsOlderVersion: Bool) -> Judgment {
        guard feature.updated < stored.quake.updated, !allowsOlderVersion else {
            return (true, doubtRules.contradicted([.backward], by: stored.key))
        }
        guard !facts.isBeyondFeeds(stored.quake.originTime) else { return (false, []) }
        return judgment(
            .backward, doubtRules.judge(.backward, of: stored.key, claimedUpdate: feature.updated), of: stored.key)
    }

    /// Judges the place name of a feature (rule 11): another one for an unmoved hypocenter is doubtful.
    ///
    /// With a stale stamp the name is judged all the same: the server that lags behind looks it up again.
    private func judgeName(of feature: Quake, for stored: StoredQuake, isStale: Bool) -> Judgment {
        if feature.hasOtherPlaceName(than: stored.quake) {
            guard !facts.isBeyondFeeds(stored.quake.originTime) else {
                return (!isStale, isStale ? [] : doubtRules.contradicted([.place], by: stored.key))
            }
            return judgment(
                .place, doubtRules.judge(.place, of: stored.key, claimedName: feature.place), of: stored.key)
        }
        // A stale hypocenter says nothing about the name of the one in the cache.
        guard feature.hypocenter == stored.quake.hypocenter || !isStale else { return (false, []) }
        return (!isStale, doubtRules.contradicted([.place], by: stored.key))
    }

    private func judgment(_ kind: Doubt.Kind, _ verdict: DoubtRules.Verdict, of key: QuakeKey) -> Judgment {
        switch verdict {
        case .unchanged: (false, [])
        case .noted(let doubt): (false, [.note(doubt)])
        case .believed: (true, [.drop(kind, key: key)])
        }
    }

    /// Judges a feature that matches no quake in the cache: new, late, split off, or restored.
    private mutating func judgeUnknown(_ feature: Quake, _ identity: Identity) -> [Operation] {
        // Rule 10 again: a newer snapshot decided that it is gone.
        if let returning = identity.returning, returning.generated > facts.generated.milliseconds {
            withheld.insert(feature.originTime)
            return []
        }
        let key = identity.returning?.key
        let reason: ChangeReason =
            switch (identity.isSplit, key) {
            case (true, _): .split
            case (false, .some): .restored
            case (false, nil): facts.isLate(feature.originTime) ? .late : .new
            }
        isSettled = identity.isSettled(on: key, assigning: true)
        return [.insert(feature, reason: reason, key: key, aliases: identity.aliasesToAssign(to: key))]
    }

    mutating func inserted(_ key: QuakeKey) { list(key) }

    /// Whether a feature was the quake under `key`.
    func lists(_ key: QuakeKey) -> Bool { present.contains(key) }

    private mutating func list(_ key: QuakeKey) {
        if present.insert(key).inserted { presentInOrder.append(key) }
    }

    /// What the snapshot did not list.
    struct Absences {
        var operations: [Operation] = []
        /// How many quakes are missing and not believed to be gone.
        var noted = 0
        /// Keys of those of them whose absence is confirmed, and about which the event service is to be asked.
        var awaitingService: [QuakeKey] = []
        /// So many are missing at once that none of the absences is believed (the mass rule).
        var isSuspect = false
    }

    /// Judges the quakes of the cache that lie in the certain part of the window and were not listed (rules 6 to 8),
    /// except those that no snapshot has listed, or that one at least as new as this has.
    func absences(among covered: [QuakeKey], cache: some CacheView) throws -> Absences {
        var result = Absences()
        let missing = try covered.compactMap { key -> StoredQuake? in
            guard !present.contains(key), let known = try cache.knownQuake(key) else { return nil }
            let confirmed = try cache.confirmedUntil(known)
            return confirmed.milliseconds != 0 && confirmed < facts.generated ? known.stored : nil
        }
        // Only new absences count, so that honest ones of several days do not block each other.
        let news = missing.count { !doubtRules.isNoted(.absent, of: $0.key) }
        guard news <= max(20, covered.count / 5) else {
            result.isSuspect = true
            return result
        }
        for stored in missing {
            switch doubtRules.judge(.absent, of: stored.key) {
            case .unchanged: result.noted += 1
            case .noted(let doubt):
                result.noted += 1
                result.operations.append(.note(doubt))
            case .believed(var doubt) where asksService:
                doubt.awaitsService = true
                result.noted += 1
                result.awaitingService.append(stored.key)
                result.operations.append(.note(doubt))
            case .believed:
                result.operations.append(.delete(stored, reason: .retracted, mergedInto: nil))
            }
        }
        return result
    }
}

extension Quake {
    /// Whether the place has another name than that of `known`, although the hypocenter is the same.
    ///
    /// Servers look the name up from the hypocenter and do not agree. A first name contradicts none.
    func hasOtherPlaceName(than known: Quake) -> Bool {
        known.place != nil && place != known.place && hypocenter == known.hypocenter
    }

    /// Gives the place the name it has in `other`, in the title too.
    mutating func takePlaceName(of other: Quake) {
        if let title = publishedTitle, let place, title.hasSuffix(place) {
            publishedTitle = title.dropLast(place.count) + (other.place ?? "")
        }
        place = other.place
    }
}

/// What the rules ask of the cache. The store answers in production, a dictionary in tests.
protocol CacheView: IdentityView {
    /// The `generated` of the newest snapshot, of any feed, that listed or decided the quake.
    func confirmedUntil(_ known: KnownQuake) throws -> Timestamp
}

/// The store as the rules see it while a snapshot of one feed is applied.
final class WriterView: CacheView {
    let writer: QuakeWriter
    let generated: Timestamp
    private var newerLists: [(generated: Timestamp, keys: ListedKeys)]?

    /// Creates the view for a snapshot made at `generated`.
    init(writer: QuakeWriter, generated: Timestamp) { (self.writer, self.generated) = (writer, generated) }

    func target(ofID id: String) throws -> AliasTarget? { try writer.target(ofID: id) }
    func knownQuake(_ key: QuakeKey) throws -> KnownQuake? { try writer.knownQuake(key) }
    func tombstone(of key: QuakeKey) throws -> Quake? { try writer.tombstone(of: key) }

    func confirmedUntil(_ known: KnownQuake) throws -> Timestamp {
        let own = Timestamp(milliseconds: known.rowSource.generated)
        return try listsNewerThanSnapshot().filter { $0.keys.contains(known.stored.key) }
            .map(\.generated).reduce(own, max)
    }

    /// Only what newer snapshots listed can tell that this one is too old. Mostly there are none.
    private func listsNewerThanSnapshot() throws -> [(generated: Timestamp, keys: ListedKeys)] {
        if let newerLists { return newerLists }
        let lists = try writer.listedKeys(newerThan: generated)
        newerLists = lists
        return lists
    }
}
