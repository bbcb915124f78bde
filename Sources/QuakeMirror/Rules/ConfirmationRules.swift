/// The rule for all unconfirmed changes: recorded when first seen, confirmed when repeated, dropped when contradicted.
struct ConfirmationRules {
    private let settings: MirrorSettings
    private let sourceTime: Timestamp
    private let recorded: [QuakeKey: [UnconfirmedChange.Kind: UnconfirmedChange]]
    /// Operations that drop the changes that no further snapshot can confirm or contradict. A quake whose change was
    /// last reported before the start of the longest feed's window has left every feed (rule 6).
    let operationsDroppingExpired: [Operation]

    init(settings: MirrorSettings, sourceTime: Timestamp, unconfirmedChanges: [UnconfirmedChange]) {
        self.settings = settings
        self.sourceTime = sourceTime
        let oldest = sourceTime - FeedName.Period.month.window
        operationsDroppingExpired = unconfirmedChanges.filter { $0.last < oldest }.map {
            .drop($0.kind, key: $0.quakeKey)
        }
        let current = Dictionary(grouping: unconfirmedChanges.filter { $0.last >= oldest }, by: \.quakeKey)
        recorded = current.mapValues { changes in
            Dictionary(changes.map { ($0.kind, $0) }, uniquingKeysWith: { first, _ in first })
        }
    }

    var isEmpty: Bool { recorded.isEmpty }

    /// The result of judging an unconfirmed change.
    enum Confirmation: Equatable {
        /// The change is confirmed. Its number of snapshots includes this one.
        case confirmed(UnconfirmedChange)
        /// The change must be recorded, because it is not confirmed yet.
        case unconfirmed(UnconfirmedChange)
        /// This snapshot does not count, because it is no newer than the last snapshot with a change of this kind to
        /// the quake.
        case unchanged
    }

    /// Judges an unconfirmed change to the quake under `key`. If the update time or place name differs from the
    /// recorded one, the change counts as a new change.
    func judge(
        _ kind: UnconfirmedChange.Kind, of key: QuakeKey, updated: Timestamp? = nil, place: String? = nil
    ) -> Confirmation {
        var change = UnconfirmedChange(
            quakeKey: key, kind: kind, sourceTime: sourceTime, updated: updated, place: place)
        let earlier = recorded[key]?[kind]
        if let earlier, earlier.last >= sourceTime { return .unchanged }
        if let earlier, earlier.updated == updated, earlier.place == place {
            change.first = earlier.first
            change.snapshots = earlier.snapshots + 1
        }
        let isConfirmed =
            change.snapshots >= settings.confirmSnapshots && change.last - change.first >= settings.confirmAfter
        return isConfirmed ? .confirmed(change) : .unconfirmed(change)
    }

    func isRecorded(_ kind: UnconfirmedChange.Kind, of key: QuakeKey) -> Bool { recorded[key]?[kind] != nil }

    /// Returns operations that drop the recorded changes of these kinds to the quake under `key`, which this snapshot
    /// contradicts.
    func operationsDropping(_ kinds: [UnconfirmedChange.Kind], of key: QuakeKey) -> [Operation] {
        guard let changes = recorded[key] else { return [] }
        return kinds.compactMap { kind in
            // Feeds generated in the same second count as equally new. A feed that lists the quake then contradicts a
            // feed that does not, which must come from a lagging server.
            guard let change = changes[kind], sourceTime >= change.last else { return nil }
            return .drop(kind, key: key)
        }
    }
}
