/// The rule for all unconfirmed changes: noted when first seen, believed when repeated, dropped when contradicted.
struct DoubtRules {
    private let settings: MirrorSettings
    private let generated: Timestamp
    private let doubts: [QuakeKey: [Doubt.Kind: Doubt]]
    /// Operations that drop the doubts that no snapshot can decide anymore. A quake last doubted before the start of
    /// the longest feed's window has left every feed (rule 6).
    let expired: [Operation]

    init(settings: MirrorSettings, generated: Timestamp, doubts: [Doubt]) {
        (self.settings, self.generated) = (settings, generated)
        let oldest = generated - FeedName.Period.month.window
        expired = doubts.filter { $0.last < oldest }.map { .drop($0.kind, key: $0.quakeKey) }
        self.doubts = Dictionary(grouping: doubts.filter { $0.last >= oldest }, by: \.quakeKey).mapValues { noted in
            Dictionary(noted.map { ($0.kind, $0) }, uniquingKeysWith: { first, _ in first })
        }
    }

    var isEmpty: Bool { doubts.isEmpty }

    /// The result of judging an unconfirmed change.
    enum Verdict: Equatable {
        /// The change is confirmed by this sighting, which the doubt already includes.
        case believed(Doubt)
        /// The change is noted but not believed yet.
        case noted(Doubt)
        /// This snapshot is no newer than the last one with the same change, so it does not count.
        case unchanged
    }

    /// Judges an unconfirmed change to the quake under `key`. A different update time or name counts as a new change.
    func judge(
        _ kind: Doubt.Kind, of key: QuakeKey, claimedUpdate: Timestamp? = nil, claimedName: String? = nil
    ) -> Verdict {
        var doubt = Doubt(
            quakeKey: key, kind: kind, generated: generated, claimedUpdate: claimedUpdate, claimedName: claimedName)
        let noted = doubts[key]?[kind]
        if let noted, noted.last >= generated { return .unchanged }
        if let noted, noted.claimedUpdate == claimedUpdate, noted.claimedName == claimedName {
            doubt.first = noted.first
            doubt.sightings = noted.sightings + 1
        }
        let isConfirmed =
            doubt.sightings >= settings.confirmSnapshots && doubt.last - doubt.first >= settings.confirmAfter
        return isConfirmed ? .believed(doubt) : .noted(doubt)
    }

    func isNoted(_ kind: Doubt.Kind, of key: QuakeKey) -> Bool { doubts[key]?[kind] != nil }

    /// Drops doubts of these kinds about the quake under `key`, which this snapshot lists with believed values.
    func contradicted(_ kinds: [Doubt.Kind], by key: QuakeKey) -> [Operation] {
        guard let noted = doubts[key] else { return [] }
        return kinds.compactMap { kind in
            // Feeds made in the same second count as equally new. In that case, a feed that lists the quake contradicts
            // a feed that does not, because the latter must come from a lagging server.
            guard let doubt = noted[kind], generated >= doubt.last else { return nil }
            return .drop(kind, key: key)
        }
    }
}
