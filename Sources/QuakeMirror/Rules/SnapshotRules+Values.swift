extension SnapshotRules {
    /// Judges a feature's values for the quake `known`: the update time, then the place name, then the rest.
    func judgeValues(
        of feature: Quake, _ identity: FeatureIdentity, for known: KnownQuake, isMerge: Bool, cache: some CacheView,
        _ decision: inout FeatureDecision
    ) throws {
        let stored = known.stored
        var feature = feature
        feature.takeUncertainties(from: [feature] + identity.quakes.map(\.stored.quake))
        let isRename = !stored.quake.id.isSameID(as: feature.id)
        guard isRename || !feature.differences(from: stored.quake).isEmpty else {
            decision.outcome = identity.isSettled(on: stored.key, assigning: false) ? .settled : .provisional
            let kinds: [UnconfirmedChange.Kind] =
                facts.missingProperties.contains(.place) ? [.backward] : [.backward, .place]
            decision.operations += confirmation.operationsDropping(kinds, of: stored.key)
            decision.operations.append(.confirm(stored.key))
            return
        }
        let isReturn = isRename && identity.leads(to: stored.key)
        let allowsOlderVersion = isMerge || (isRename && !isReturn)
        let stamp = judgeUpdatedTime(
            of: feature, for: known, allowsOlderVersion: allowsOlderVersion || facts.isAboutOneQuake)
        let name = judgeName(of: feature, for: stored, isStale: !stamp.isAccepted)
        var values = stamp.isAccepted ? feature : stored.quake
        if !stamp.isAccepted {
            values.takeUncertainties(from: [stored.quake, feature])
            decision.unconfirmed.append(stored.key)
            if isRename, !facts.isBeyondFeeds(stored.quake.originTime) {
                decision.disputedOriginTimes.formUnion([feature.originTime, stored.quake.originTime])
            }
        }
        values.takePlaceName(of: name.isAccepted ? feature : stored.quake)
        // A feature whose values differ from the cache must be judged again next time, so that each snapshot counts.
        let isSettled = stamp.isAccepted && name.isAccepted && identity.isSettled(on: stored.key, assigning: true)
        decision.outcome = isSettled ? .settled : .provisional
        decision.idsInQuestion += stamp.idsInQuestion
        let operations = stamp.operations + name.operations
        decision.operations += operations
        guard stamp.isAccepted && isRename || !values.differences(from: stored.quake).isEmpty else {
            let isRecorded = operations.contains { if case .recordUnconfirmed = $0 { true } else { false } }
            if stamp.isAccepted, !isRecorded { decision.operations.append(.confirm(stored.key)) }
            return
        }
        decision.operations.append(
            .update(
                stored, to: values, reason: stamp.isAccepted && isRename ? .renamed : .revised,
                aliases: stamp.isAccepted ? identity.aliasesToAssign(to: stored.key) : []))
        try putLostIDsInQuestion(from: stored, to: values, cache: cache, &decision)
    }

    /// Returns an update of `stored` with the uncertainties of `feature`, whose other values are outdated. Returns no
    /// operation unless the feature describes the same solution and the cache lacks its uncertainties (rule 24).
    func uncertainties(of feature: Quake, for stored: StoredQuake) -> [Operation] {
        var values = stored.quake
        values.takeUncertainties(from: [stored.quake, feature])
        return values == stored.quake ? [] : [.update(stored, to: values, reason: .revised, aliases: [])]
    }

    /// Marks as in question (``/QuakeStore/IDInQuestion``) each id that `stored` loses in an update. The id may belong
    /// to a quake that was split off and, because it has not changed since, is not listed by later documents.
    private func putLostIDsInQuestion(
        from stored: StoredQuake, to values: Quake, cache: some CacheView, _ decision: inout FeatureDecision
    ) throws {
        let quake = stored.quake
        for id in quake.aliases where !values.hasID(id) && !id.isSameID(as: quake.id) && !facts.listing.contains(id) {
            guard try cache.target(ofID: id) == .live(key: stored.key) else { continue }
            guard facts.ambiguousFeatures != .useIDs else {
                decision.undecidedQuakes.append(quake)
                continue
            }
            var lost = idInQuestion(quake, "another event had its id")
            lost.id = id
            decision.idsInQuestion.append(lost)
        }
    }

    /// The decision about one part of a feature.
    private struct Judgment {
        var isAccepted: Bool
        var operations: [Operation] = []
        var idsInQuestion: [IDInQuestion] = []
    }

    /// Judges the update time of a feature (rule 11). If this time is older than the cached update time, all values are
    /// unconfirmed. An update time later than its snapshot counts as the time of the snapshot.
    private func judgeUpdatedTime(of feature: Quake, for known: KnownQuake, allowsOlderVersion: Bool) -> Judgment {
        let stored = known.stored
        let confirmed = Timestamp(milliseconds: known.rowSource.sourceTime)
        let isBounded = confirmed.milliseconds != 0
        let cached = isBounded ? min(stored.quake.updated, confirmed) : stored.quake.updated
        guard min(feature.updated, facts.sourceTime) < cached, !allowsOlderVersion else {
            return Judgment(
                isAccepted: true, operations: confirmation.operationsDropping([.backward], of: stored.key))
        }
        guard !facts.isBeyondFeeds(stored.quake.originTime) else {
            return Judgment(
                isAccepted: false, idsInQuestion: [idInQuestion(stored.quake, "the service lists an older version")])
        }
        return judgment(
            .backward, confirmation.judge(.backward, of: stored.key, updated: feature.updated), of: stored.key)
    }

    /// Judges the place name of a feature (rule 11). A different name for an unmoved hypocenter is unconfirmed.
    ///
    /// The name is judged even if the update time is older, because even a lagging server looks up the name again.
    private func judgeName(of feature: Quake, for stored: StoredQuake, isStale: Bool) -> Judgment {
        guard !facts.missingProperties.contains(.place) else { return Judgment(isAccepted: !isStale) }
        if feature.hasOtherPlaceName(than: stored.quake) {
            guard !facts.isBeyondFeeds(stored.quake.originTime) else {
                return Judgment(
                    isAccepted: !isStale,
                    operations: isStale ? [] : confirmation.operationsDropping([.place], of: stored.key))
            }
            return judgment(.place, confirmation.judge(.place, of: stored.key, place: feature.place), of: stored.key)
        }
        // An outdated hypocenter proves nothing about the name at the current hypocenter.
        guard feature.hypocenter == stored.quake.hypocenter || !isStale else { return Judgment(isAccepted: false) }
        return Judgment(isAccepted: !isStale, operations: confirmation.operationsDropping([.place], of: stored.key))
    }

    private func judgment(
        _ kind: UnconfirmedChange.Kind, _ result: ConfirmationRules.Confirmation, of key: QuakeKey
    ) -> Judgment {
        switch result {
        case .unchanged: Judgment(isAccepted: false)
        case .unconfirmed(let change): Judgment(isAccepted: false, operations: [.recordUnconfirmed(change)])
        case .confirmed: Judgment(isAccepted: true, operations: [.drop(kind, key: key)])
        }
    }
}

extension Quake {
    /// Returns this record with the values that `known` has for `properties`. Uncertainties are kept only with their
    /// solution, and a published title only with the magnitude and the place that it names.
    func keeping(_ properties: Set<QuakeProperty>, of known: Quake) -> Quake {
        var quake = self
        for property in properties.subtracting(QuakeProperty.uncertainties) {
            quake[stored: property] = known[stored: property]
        }
        if quake.hasSameSolution(as: known) {
            for property in properties.intersection(QuakeProperty.uncertainties) {
                quake[stored: property] = known[stored: property]
            }
        }
        if quake.derivedTitle != known.derivedTitle, properties.contains(.title) { quake.publishedTitle = nil }
        return quake
    }

    /// Returns whether this quake and `known` have different place names although the hypocenter is the same.
    ///
    /// Servers look up the name from the hypocenter and may disagree. A place name does not count as different if
    /// `known` has none.
    fileprivate func hasOtherPlaceName(than known: Quake) -> Bool {
        known.place != nil && place != known.place && hypocenter == known.hypocenter
    }

    /// Copies the place name of `other`, including into the published title.
    mutating func takePlaceName(of other: Quake) {
        if let title = publishedTitle, let place, title.hasSuffix(place) {
            publishedTitle = title.dropLast(place.count) + (other.place ?? "")
        }
        place = other.place
    }
}
