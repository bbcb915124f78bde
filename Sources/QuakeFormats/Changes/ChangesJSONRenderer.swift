package import QuakeModel

/// Writes events as JSON records: one per line, or all in one array.
final class ChangesJSONRenderer: HistoryRenderer {
    private let records: JSONRecords
    private var json: JSONWriter { records.json }
    private let computed: ComputedFields

    init(_ framing: JSONRecords.Framing, into output: ByteBuffer, _ style: RecordStyle) {
        records = JSONRecords(output, framing)
        computed = style.computed
    }

    func write(_ event: HistoryEvent) {
        records.append {
            switch event {
            case .dropEverything(let fault): json.members(["kind": "drop-everything", "reason": fault.rawValue])
            case .resync(let resynced): members(resynced)
            case .change(let relevant): members(relevant)
            case .end(let end):
                json.members([
                    "kind": "end", "token": end.token.description, "head": end.newest.description,
                    "purged_through": end.trimmedThrough, "more": end.hasMore, "count": end.count,
                    "skipped_count": end.skipped.count, "largest_skipped": end.skipped.largest,
                ])
            }
        }
    }

    func writeHeartbeat(token: HistoryToken, time: Timestamp) {
        records.append { json.members(["kind": "heartbeat", "token": token.description, "time": time]) }
    }

    /// Writes the members for a resynced quake: the members of a change, except the transaction.
    private func members(_ resynced: ResyncedQuake) {
        let stored = resynced.stored
        json.members([
            "kind": "change", "change_id": nil, "token": nil, "op": "insert", "reason": "resync", "resync": true,
            "timeliness": resynced.timeliness?.rawValue, "quake": stored.key, "id": stored.quake.id,
            "ids": stored.quake.aliases, "changed": [String](), "before": nil, "after": stored.quake,
            "merged_into": nil, "transaction": nil, "values": stored.quake,
        ])
        json.members(computed, of: stored.quake)
    }

    private func members(_ relevant: RelevantChange) {
        let change = relevant.change
        let state = change.after ?? change.before
        json.members([
            "kind": "change", "change_id": change.id, "token": relevant.token?.description,
            "op": relevant.operation.rawValue, "reason": change.reason.rawValue, "resync": false,
            "timeliness": relevant.timeliness?.rawValue, "quake": change.quakeKey, "id": state?.id,
            "ids": state?.aliases ?? [],
        ])
        json.effect(of: change)
        let transaction = relevant.transaction
        let record: Record = [
            "number": transaction.number, "time": transaction.time, "author": transaction.author,
            "context": transaction.purpose, "generated": transaction.provenance?.generated,
        ]
        json.members(["transaction": record, "values": state])
        json.members(computed, of: state)
    }

    func end() { records.end() }
}

extension JSONWriter {
    /// Writes the effect of a change. Every kind of change has the same members; those that do not apply are null.
    package func effect(of change: HistoryChange) {
        member("changed", change.changed.map(\.rawValue))
        switch change.effect {
        case .insert(let quake): members(["before": nil, "after": quake, "merged_into": nil])
        case .update(let before, let after, let changed):
            member("before", before, properties: changed)
            member("after", after, properties: changed)
            member("merged_into", nil)
        case .delete(let tombstone, let survivor):
            members(["before": tombstone, "after": nil, "merged_into": survivor])
        }
    }
}
