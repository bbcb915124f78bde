/// The rules for what a document changes in the cache, without I/O.
///
/// Features are judged one by one, usually from the oldest quake to the newest. The changes of each feature are applied
/// before the next one is judged, so that ``CacheView`` is up to date. Finally, ``absences(among:listed:cache:)``
/// judges the quakes that were not listed.
struct SnapshotRules {
    let facts: SnapshotFacts
    let confirmation: ConfirmationRules

    init(
        facts: SnapshotFacts, settings: MirrorSettings = MirrorSettings(), unconfirmedChanges: [UnconfirmedChange] = []
    ) {
        self.facts = facts
        confirmation = ConfirmationRules(
            settings: settings, sourceTime: facts.sourceTime, unconfirmedChanges: unconfirmedChanges)
    }

    /// Returns the operations for quakes that are listed with their cached values: all their recorded unconfirmed
    /// changes are dropped.
    func operations(forListed keys: [QuakeKey]) -> [Operation] {
        confirmation.isEmpty
            ? [] : keys.flatMap { confirmation.operationsDropping(UnconfirmedChange.Kind.allCases, of: $0) }
    }

    /// Returns the decision on a feature that lists the quake under `key` with unreadable values.
    func decision(onUnreadable key: QuakeKey) -> FeatureDecision {
        FeatureDecision(
            outcome: .provisional, operations: confirmation.operationsDropping([.absent], of: key), listed: [key],
            unconfirmed: [key])
    }

    /// Judges one feature.
    ///
    /// - Parameters:
    ///   - turn: the turn of the features that are judged now, in the order of ``/QuakeStore/FeatureIdentity/Turn``.
    ///     Features of later turns are postponed.
    ///   - listed: the keys of the quakes listed by the features judged so far.
    /// - Throws: ``FeatureDefect`` if an earlier feature has the same id; only the feature judged first counts.
    func judge(
        _ feature: Quake, in turn: FeatureIdentity.Turn = .last, listed: Set<QuakeKey>, cache: some CacheView
    ) throws -> FeatureDecision {
        guard let feature = try completed(feature, from: cache) else {
            return try decision(onFormerID: feature, cache: cache)
        }
        var identity = try FeatureIdentity(of: feature, in: facts.listing, matched: listed, cache: cache)
        guard !identity.isRepeated else { throw FeatureDefect.duplicate(id: feature.id) }
        guard identity.turn <= turn else { return FeatureDecision(outcome: .postponed) }
        var decision = FeatureDecision()
        if try mustWait(for: &identity, feature, cache: cache, &decision) {
            decision.outcome = .waiting
            return decision
        }
        guard let survivor = identity.survivor else {
            // Rule 10: a newer snapshot decided that the feature's id belongs to another quake.
            if let holder = identity.splitFrom, try cache.confirmedUntil(holder) > facts.sourceTime {
                decision.withhold(feature, holder.stored.quake)
            } else {
                judgeUnknown(feature, identity, &decision)
            }
            return decision
        }
        decision.listed = identity.quakes.map(\.stored.key)
        // Rule 10: an older snapshot never changes what a newer one has confirmed.
        guard try identity.quakes.allSatisfy({ try cache.confirmedUntil($0) <= facts.sourceTime }) else {
            decision.outcome = .outdated
            decision.unconfirmed = decision.listed
            decision.repeatsCachedValues = identity.quakes.count == 1 && feature.hasValues(of: survivor.stored.quake)
            let isListed = identity.quakes.contains { known in
                known.stored.quake.id.isSameID(as: feature.id) && known.stored.quake.originTime == feature.originTime
            }
            if !isListed { identity.quakes.forEach { decision.withhold(feature, $0.stored.quake) } }
            decision.operations = uncertainties(of: feature, for: survivor.stored)
            return decision
        }
        let merged = identity.quakes.filter { $0.stored.key != survivor.stored.key }
        decision.operations = merged.map {
            .delete($0.stored, reason: .merged, mergedInto: survivor.stored.key)
        }
        decision.operations += confirmation.operationsDropping([.absent], of: survivor.stored.key)
        try judgeValues(of: feature, identity, for: survivor, isMerge: !merged.isEmpty, cache: cache, &decision)
        return decision
    }

    /// Returns the feature with the cached values of the properties that its document lacks, even if the quake was
    /// deleted. Returns nil if the feature's id is a former id of the quake (rule 24).
    private func completed(_ feature: Quake, from cache: some CacheView) throws -> Quake? {
        guard !facts.missingProperties.isEmpty else { return feature }
        let cached: Quake? =
            switch try cache.target(ofID: feature.id) {
            case nil: nil
            case .live(let key): try cache.knownQuake(key)?.stored.quake
            case .departed(let key, _): try cache.tombstone(of: key)
            }
        guard let cached else { return feature }
        return cached.id.isSameID(as: feature.id) ? feature.keeping(facts.missingProperties, of: cached) : nil
    }

    /// Judges a feature that describes a quake under a former id. Only its uncertainties are used, because its document
    /// does not show whether the id belongs to a separate quake again.
    private func decision(onFormerID feature: Quake, cache: some CacheView) throws -> FeatureDecision {
        var decision = FeatureDecision(outcome: .outdated)
        if case .live(let key)? = try cache.target(ofID: feature.id), let known = try cache.knownQuake(key) {
            decision.operations = uncertainties(of: feature, for: known.stored)
        }
        return decision
    }

    /// Returns whether the feature must wait because it may be a quake in the cache under another id. If the event
    /// service must decide, marks as in question the id of that quake and, if the feature matches no other quake, the
    /// id of the feature.
    private func mustWait(
        for identity: inout FeatureIdentity, _ feature: Quake, cache: some CacheView, _ decision: inout FeatureDecision
    ) throws -> Bool {
        let others = identity.undecided.map(\.stored.quake)
        guard !others.isEmpty else { return false }
        guard facts.ambiguousFeatures == .askService else {
            decision.undecidedQuakes += others
            identity.decideByIDs()
            return false
        }
        let quakes = [feature] + identity.quakes.map(\.stored.quake) + others
        guard !quakes.allSatisfy({ facts.timesToFetchAgain.contains($0.originTime) }) else {
            decision.undecidedQuakes += quakes
            return true
        }
        // The service was asked about all these quakes, without a definite answer.
        if try others.allSatisfy({ try cache.isUnsettled($0.id) }) {
            identity.decideByIDs()
            return false
        }
        // Rule 10: a newer snapshot lists the quake.
        if try identity.undecided.contains(where: { try cache.confirmedUntil($0) > facts.sourceTime }) {
            guard identity.quakes.isEmpty else { return false }
            others.forEach { decision.withhold(feature, $0) }
            return true
        }
        decision.idsInQuestion += others.map { idInQuestion($0, "another event has its id") }
        guard identity.quakes.isEmpty else { return false }
        decision.idsInQuestion.append(idInQuestion(feature, "it has the id of another event"))
        return true
    }

    /// Judges a feature that matches no quake in the cache: new, late, split off, or restored.
    private func judgeUnknown(_ feature: Quake, _ identity: FeatureIdentity, _ decision: inout FeatureDecision) {
        // Rule 10: a newer snapshot decided that the quake is gone.
        if let returning = identity.restoredQuake, returning.sourceTime > facts.sourceTime.milliseconds {
            decision.outcome = .outdated
            decision.disputedOriginTimes.insert(feature.originTime)
            return
        }
        let key = identity.restoredQuake?.key
        let reason: ChangeReason =
            switch (identity.isSplit, key) {
            case (true, _): .split
            case (false, .some): .restored
            case (false, nil): facts.isLate(feature.originTime) ? .late : .new
            }
        decision.outcome = identity.isSettled(on: key, assigning: true) ? .settled : .provisional
        decision.operations = [
            .insert(feature, reason: reason, key: key, aliases: identity.aliasesToAssign(to: key))
        ]
    }

    func idInQuestion(_ quake: Quake, _ reason: String) -> IDInQuestion {
        IDInQuestion(about: quake, reason, raised: facts.sourceTime)
    }
}

extension FeatureDecision {
    /// Notes that the feature disagrees with newer information about `quake`.
    fileprivate mutating func withhold(_ feature: Quake, _ quake: Quake) {
        outcome = .outdated
        disputedOriginTimes.formUnion([feature.originTime, quake.originTime])
    }
}

extension IDInQuestion {
    init(about quake: Quake, _ reason: String, raised: Timestamp) {
        let instant = quake.originTime..<quake.originTime + .milliseconds(1)
        self.init(id: quake.id, originTimes: instant, reason: reason, raised: raised)
    }
}

extension Quake {
    /// Whether this feature has the values of the cached quake, apart from uncertainties, which most documents lack.
    fileprivate func hasValues(of cached: Quake) -> Bool {
        var completed = self
        completed.takeUncertainties(from: [self, cached])
        return completed.differences(from: cached).isEmpty
    }
}
