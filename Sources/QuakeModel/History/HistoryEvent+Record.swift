extension HistoryEvent {
    /// The event as a line of `quakes changes --format ndjson`, without computed fields.
    package var record: Record {
        switch self {
        case .dropEverything(let fault):
            HistoryEventMember.record([.kind: HistoryEventMember.Kind.dropEverything.rawValue, .reason: fault.rawValue])
        case .resync(let resynced): resynced.record
        case .change(let relevant): relevant.record
        case .end(let end): end.record
        }
    }
}

extension ResyncedQuake {
    /// The record has the members of an insert, but `change_id`, `token` and `transaction` are null.
    var record: Record {
        HistoryEventMember.record([
            .kind: HistoryEventMember.Kind.change.rawValue, .changeID: nil, .token: nil,
            .op: RelevantChange.Operation.insert.rawValue, .reason: "resync", .resync: true,
            .timeliness: timeliness?.rawValue, .quake: stored.key, .id: stored.quake.id, .ids: stored.quake.aliases,
            .changed: [String](), .before: nil, .after: stored.quake, .mergedInto: nil, .transaction: nil,
            .values: stored.quake,
        ])
    }
}

extension RelevantChange {
    var record: Record { record(before: change.changed, transaction.shortRecord) }

    /// The record of the change, with the record `transaction`. For an update, `before` contains only the `differing`
    /// properties.
    func record(before differing: [QuakeProperty], _ transaction: Record) -> Record {
        let state = change.after ?? change.before
        return HistoryEventMember.record([
            .kind: HistoryEventMember.Kind.change.rawValue, .changeID: change.id, .token: token?.description,
            .op: operation.rawValue, .reason: change.reason.rawValue, .resync: false,
            .timeliness: timeliness?.rawValue, .quake: change.quakeKey, .id: state?.id, .ids: state?.aliases ?? [],
        ]) + change.states(before: differing) + HistoryEventMember.record([.transaction: transaction, .values: state])
    }
}

extension HistoryChange {
    /// The states before and after the change. Every kind of change has the same members; those that do not apply are
    /// null. Both states of an update have only the properties that it changed.
    package var states: Record { states(before: changed) }

    fileprivate func states(before differing: [QuakeProperty]) -> Record {
        var (old, new, survivor): ((any RecordValue)?, (any RecordValue)?, QuakeKey?)
        switch effect {
        case .insert(let quake): new = quake
        case .update(let before, let after, let changed):
            old = PartialQuake(before, differing)
            new = PartialQuake(after, changed)
        case .delete(let tombstone, let key):
            old = tombstone
            survivor = key
        }
        return HistoryEventMember.record([
            .changed: changed.map(\.rawValue), .before: old, .after: new, .mergedInto: survivor,
        ])
    }
}

extension HistoryEnd {
    var record: Record {
        HistoryEventMember.record([
            .kind: HistoryEventMember.Kind.end.rawValue, .token: token.description, .head: newest.description,
            .purgedThrough: trimmedThrough, .more: hasMore, .count: count, .skippedCount: skipped.count,
            .largestSkipped: skipped.largest,
        ])
    }
}
