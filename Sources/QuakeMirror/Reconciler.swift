/// The rules for what a snapshot changes in the cache, without I/O. Features are judged in document order, each after
/// the changes from the previous one are applied, so that ``CacheView`` is up to date. Finally,
/// ``absences(among:cache:)`` judges the quakes that were not listed.
struct Reconciler {
    private let facts: SnapshotFacts
    private let confirmationRules: ConfirmationRules
    /// The keys of the quakes that the snapshot lists.
    private var present: Set<QuakeKey> = []
    /// The keys in ``present``, in document order. They are quick to sort, because document order is usually the order
    /// of the keys, or its reverse.
    private var presentInOrder: [QuakeKey] = []
    /// The keys of listed quakes whose cached values the snapshot does not confirm, because the snapshot's values are
    /// unreadable, doubtful or outdated.
    private var unconfirmed: Set<QuakeKey> = []
    /// The ids that the features put in question.
    private(set) var idsInQuestion: [IDInQuestion] = []
    /// The quakes about which only complete responses can decide. A feature that may or may not be such a quake was
    /// held back, or the document decided alone.
    private(set) var uncertain: [Quake] = []
    /// Whether the last judged feature changes nothing until the event service has decided.
    private(set) var isWaiting = false
    /// Whether the last judged feature changes nothing because the cache has newer information (rule 10).
    private(set) var isOutdated = false
    /// Whether the last judged feature must be judged again after all others.
    private(set) var isPostponed = false

    /// The origin times of features that disagree with newer information in the cache: the quake has since disappeared,
    /// moved to another time, or remained only under other ids.
    private(set) var withheld: Set<Timestamp> = []

    /// Whether the last judged feature may be skipped if it recurs with the same bytes.
    private(set) var isSettled = true

    init(facts: SnapshotFacts, settings: MirrorSettings, unconfirmedChanges: [UnconfirmedChange]) {
        self.facts = facts
        confirmationRules = ConfirmationRules(
            settings: settings, sourceTime: facts.sourceTime, unconfirmedChanges: unconfirmedChanges)
    }

    /// The keys of the quakes whose cached values this snapshot confirms.
    var confirmed: ListedKeys {
        ListedKeys(unconfirmed.isEmpty ? presentInOrder : presentInOrder.filter { !unconfirmed.contains($0) })
    }

    /// Operations that drop the unconfirmed changes that no snapshot can decide anymore.
    var expiredChanges: [Operation] { confirmationRules.expired }

    /// Marks the quakes under `keys` as listed with their cached values, and drops all unconfirmed changes to them.
    mutating func see(_ keys: [QuakeKey]) -> [Operation] {
        present.reserveCapacity(keys.count)
        presentInOrder.reserveCapacity(keys.count)
        keys.forEach { list($0) }
        return confirmationRules.isEmpty
            ? [] : keys.flatMap { confirmationRules.contradicted(UnconfirmedChange.Kind.allCases, by: $0) }
    }

    /// Marks the quake under `key` as listed with unreadable values.
    mutating func seeUnread(_ key: QuakeKey) -> [Operation] {
        list(key)
        unconfirmed.insert(key)
        return confirmationRules.contradicted([.absent], by: key)
    }

    /// Judges one feature. For an insert, call ``inserted(_:)`` as soon as the key is known.
    ///
    /// - Parameter turn: the turn of the features that are judged now. Features of later turns are postponed.
    /// - Throws: ``FeatureDefect`` if the snapshot already listed the feature's id; only the first feature counts.
    mutating func judge(
        _ feature: Quake, in turn: Identity.Turn = .last, cache: some CacheView
    ) throws -> [Operation] {
        var identity = try Identity(of: feature, in: facts.listing, matched: present, cache: cache)
        guard !identity.isRepeated else { throw FeatureDefect.duplicate(id: feature.id) }
        isOutdated = false
        isPostponed = identity.turn > turn
        if isPostponed { return [] }
        isWaiting = try waits(for: &identity, feature, cache: cache)
        if isWaiting { return [] }
        guard let survivor = identity.survivor else {
            // Rule 10: a newer snapshot decided that this is part of another quake.
            if let holder = identity.splitFrom, try cache.confirmedUntil(holder) > facts.sourceTime {
                withhold(feature, holder.stored.quake)
                return []
            }
            return judgeUnknown(feature, identity)
        }
        identity.quakes.forEach { list($0.stored.key) }
        // Rule 10: an older snapshot never changes what a newer one has confirmed.
        guard try identity.quakes.allSatisfy({ try cache.confirmedUntil($0) <= facts.sourceTime }) else {
            unconfirmed.formUnion(identity.quakes.map(\.stored.key))
            isOutdated = true
            let isListed = identity.quakes.contains { known in
                known.stored.quake.id.isSameID(as: feature.id) && known.stored.quake.originTime == feature.originTime
            }
            if !isListed { identity.quakes.forEach { withhold(feature, $0.stored.quake) } }
            return []
        }
        let merged = identity.quakes.filter { $0.stored.key != survivor.stored.key }
        let deletions = merged.map {
            Operation.delete($0.stored, reason: .merged, mergedInto: survivor.stored.key)
        }
        let changes = judgeValues(of: feature, identity, for: survivor, isMerge: !merged.isEmpty)
        for case .update(let stored, let values, _, _) in changes {
            try noteLostIDs(from: stored, to: values, cache: cache)
        }
        return deletions + confirmationRules.contradicted([.absent], by: survivor.stored.key) + changes
    }

    /// Returns whether the feature must wait because it may or may not be a quake in the cache. Puts their ids in
    /// question.
    private mutating func waits(
        for identity: inout Identity, _ feature: Quake, cache: some CacheView
    ) throws -> Bool {
        let others = identity.undecided.map(\.stored.quake)
        guard !others.isEmpty else { return false }
        switch facts.undecided {
        case .decidedAlone:
            uncertain += others
            identity.decideAlone()
            return false
        case .asked:
            let quakes = [feature] + (identity.quakes.map(\.stored.quake) + others)
            guard !quakes.allSatisfy({ facts.fetchedWhole.contains($0.originTime) }) else {
                uncertain += quakes
                return true
            }
            // The service knows nothing about them.
            if try others.allSatisfy({ try cache.isUnsettled($0.id) }) {
                identity.decideAlone()
                return false
            }
            // Rule 10: a newer snapshot lists the quake.
            if try identity.undecided.contains(where: { try cache.confirmedUntil($0) > facts.sourceTime }) {
                guard identity.quakes.isEmpty else { return false }
                others.forEach { withhold(feature, $0) }
                return true
            }
            raise(others.map { ($0, "another event has its id") })
            guard identity.quakes.isEmpty else { return false }
            raise([(feature, "it has the id of another event")])
            return true
        }
    }

    /// Puts each id in question that an update takes from `stored`. It may be of a quake that was split off, and
    /// that no later document lists because it has not changed.
    private mutating func noteLostIDs(
        from stored: StoredQuake, to values: Quake, cache: some CacheView
    ) throws {
        let quake = stored.quake
        for id in quake.aliases where !values.has(id) && !id.isSameID(as: quake.id) && !facts.listing.contains(id) {
            guard try cache.target(ofID: id) == .live(key: stored.key) else { continue }
            guard facts.undecided != .decidedAlone else {
                uncertain.append(quake)
                continue
            }
            var idInQuestion = IDInQuestion(about: quake, "another event had its id", raised: facts.sourceTime)
            idInQuestion.id = id
            idsInQuestion.append(idInQuestion)
        }
    }

    /// Notes that the feature disagrees with newer information about `quake`.
    private mutating func withhold(_ feature: Quake, _ quake: Quake) {
        isOutdated = true
        withheld.formUnion([feature.originTime, quake.originTime])
    }

    private mutating func raise(_ open: [(quake: Quake, reason: String)]) {
        idsInQuestion += open.map { IDInQuestion(about: $0.quake, $0.reason, raised: facts.sourceTime) }
    }

    /// Judges a feature's values for the quake `stored`: the update time, then the place name, then the rest.
    private mutating func judgeValues(
        of feature: Quake, _ identity: Identity, for known: KnownQuake, isMerge: Bool
    ) -> [Operation] {
        let stored = known.stored
        let isRename = !stored.quake.id.isSameID(as: feature.id)
        guard isRename || !feature.differences(from: stored.quake).isEmpty else {
            isSettled = identity.isSettled(on: stored.key, assigning: false)
            return confirmationRules.contradicted([.backward, .place], by: stored.key) + [.confirm(stored.key)]
        }
        let isReturn = isRename && identity.leads(to: stored.key)
        let allowsOlderVersion = isMerge || (isRename && !isReturn)
        let stamp = compareUpdatedTime(
            of: feature, for: known, allowsOlderVersion: allowsOlderVersion || facts.isAnswer)
        let name = judgeName(of: feature, for: stored, isStale: !stamp.isBelieved)
        var values = stamp.isBelieved ? feature : stored.quake
        if !stamp.isBelieved {
            unconfirmed.insert(stored.key)
            if isRename, !facts.isBeyondFeeds(stored.quake.originTime) {
                withheld.formUnion([feature.originTime, stored.quake.originTime])
            }
        }
        values.takePlaceName(of: name.isBelieved ? feature : stored.quake)
        // A feature whose values differ from the cache must be judged again next time, so that each snapshot counts.
        isSettled = stamp.isBelieved && name.isBelieved && identity.isSettled(on: stored.key, assigning: true)
        let operations = stamp.operations + name.operations
        guard stamp.isBelieved && isRename || !values.differences(from: stored.quake).isEmpty else {
            let isRecorded = operations.contains { if case .recordUnconfirmed = $0 { true } else { false } }
            return stamp.isBelieved && !isRecorded ? operations + [.confirm(stored.key)] : operations
        }
        let update = Operation.update(
            stored, to: values, reason: stamp.isBelieved && isRename ? .renamed : .revised,
            aliases: stamp.isBelieved ? identity.aliasesToAssign(to: stored.key) : [])
        return operations + [update]
    }

    /// The verdict on one part of a feature.
    private typealias Judgment = (isBelieved: Bool, operations: [Operation])

    /// Judges the update time of a feature (rule 11). If it is older than the cache's, all values are unconfirmed. No
    /// version is newer than the snapshot that brought it.
    private mutating func compareUpdatedTime(
        of feature: Quake, for known: KnownQuake, allowsOlderVersion: Bool
    ) -> Judgment {
        let stored = known.stored
        let confirmed = Timestamp(milliseconds: known.rowSource.sourceTime)
        let isBounded = confirmed.milliseconds != 0
        let cached = isBounded ? min(stored.quake.updated, confirmed) : stored.quake.updated
        guard min(feature.updated, facts.sourceTime) < cached, !allowsOlderVersion else {
            return (true, confirmationRules.contradicted([.backward], by: stored.key))
        }
        guard !facts.isBeyondFeeds(stored.quake.originTime) else {
            raise([(stored.quake, "the service lists an older version")])
            return (false, [])
        }
        return judgment(
            .backward, confirmationRules.judge(.backward, of: stored.key, updated: feature.updated), of: stored.key)
    }

    /// Judges the place name of a feature (rule 11). A different name for an unmoved hypocenter is doubtful.
    ///
    /// The name is judged even if the update time is older, because a lagging server looks the name up again.
    private func judgeName(of feature: Quake, for stored: StoredQuake, isStale: Bool) -> Judgment {
        if feature.hasOtherPlaceName(than: stored.quake) {
            guard !facts.isBeyondFeeds(stored.quake.originTime) else {
                return (!isStale, isStale ? [] : confirmationRules.contradicted([.place], by: stored.key))
            }
            return judgment(
                .place, confirmationRules.judge(.place, of: stored.key, place: feature.place), of: stored.key)
        }
        // An outdated hypocenter proves nothing about the name at the current hypocenter.
        guard feature.hypocenter == stored.quake.hypocenter || !isStale else { return (false, []) }
        return (!isStale, confirmationRules.contradicted([.place], by: stored.key))
    }

    private func judgment(_ kind: UnconfirmedChange.Kind, _ verdict: ConfirmationRules.Verdict, of key: QuakeKey)
        -> Judgment
    {
        switch verdict {
        case .unchanged: (false, [])
        case .unconfirmed(let change): (false, [.recordUnconfirmed(change)])
        case .confirmed: (true, [.drop(kind, key: key)])
        }
    }

    /// Judges a feature that matches no quake in the cache: new, late, split off, or restored.
    private mutating func judgeUnknown(_ feature: Quake, _ identity: Identity) -> [Operation] {
        // Rule 10: a newer snapshot decided that the quake is gone.
        if let returning = identity.returning, returning.sourceTime > facts.sourceTime.milliseconds {
            isOutdated = true
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

    /// Returns whether the snapshot lists the quake under `key`.
    func lists(_ key: QuakeKey) -> Bool { present.contains(key) }

    private mutating func list(_ key: QuakeKey) {
        if present.insert(key).inserted { presentInOrder.append(key) }
    }

    /// The quakes that the snapshot did not list.
    struct Absences {
        var operations: [Operation] = []
        /// The number of missing quakes whose absence is not confirmed yet.
        var unconfirmed = 0
        /// The keys of the quakes whose absence is confirmed and must be checked with the event service.
        var awaitingService: [QuakeKey] = []
        /// Whether so many quakes are missing at once that none of the absences counts (the mass rule).
        var isSuspect = false
    }

    /// Judges the cached quakes that were not listed although their absence would count (rules 6 to 8), except quakes
    /// never listed by any snapshot, or listed by a snapshot that is at least as new.
    func absences(among covered: [QuakeKey], cache: some CacheView) throws -> Absences {
        var result = Absences()
        let missing = try covered.compactMap { key -> StoredQuake? in
            guard !present.contains(key), let known = try cache.knownQuake(key) else { return nil }
            let confirmed = try cache.confirmedUntil(known)
            return confirmed.milliseconds != 0 && confirmed < facts.sourceTime ? known.stored : nil
        }
        // Only new absences count toward the limit, so that genuine ones from several days do not add up.
        let news = missing.count { !confirmationRules.isRecorded(.absent, of: $0.key) }
        guard news <= max(20, covered.count / 5) else {
            result.isSuspect = true
            return result
        }
        for stored in missing {
            switch confirmationRules.judge(.absent, of: stored.key) {
            case .unchanged: result.unconfirmed += 1
            case .unconfirmed(let change):
                result.unconfirmed += 1
                result.operations.append(.recordUnconfirmed(change))
            // The event service must confirm the absence.
            case .confirmed(var change) where facts.undecided == .asked:
                change.awaitsService = true
                result.unconfirmed += 1
                result.awaitingService.append(stored.key)
                result.operations.append(.recordUnconfirmed(change))
            case .confirmed:
                result.operations.append(.delete(stored, reason: .retracted, mergedInto: nil))
            }
        }
        return result
    }
}

extension IDInQuestion {
    init(about quake: Quake, _ reason: String, raised: Timestamp) {
        let instant = quake.originTime..<quake.originTime + .milliseconds(1)
        self.init(id: quake.id, originTimes: instant, reason: reason, raised: raised)
    }
}

extension Quake {
    /// Returns whether the place name differs from that of `known` although the hypocenter is the same.
    ///
    /// Servers look up the name from the hypocenter and may disagree. A quake's first name does not count as different.
    func hasOtherPlaceName(than known: Quake) -> Bool {
        known.place != nil && place != known.place && hypocenter == known.hypocenter
    }

    /// Sets the place name to the one in `other`, in the title as well.
    mutating func takePlaceName(of other: Quake) {
        if let title = publishedTitle, let place, title.hasSuffix(place) {
            publishedTitle = title.dropLast(place.count) + (other.place ?? "")
        }
        place = other.place
    }
}
