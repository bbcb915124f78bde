import QuakeModel

/// Writes events as JSON records: one per line, or all in one array.
final class ChangesJSONRenderer: HistoryRenderer {
    private let records: JSONRecords
    private let computed: ComputedFields

    init(_ framing: JSONRecords.Framing, into output: ByteBuffer, _ style: RecordStyle) {
        records = JSONRecords(output, framing)
        computed = style.computed
    }

    func write(_ event: HistoryEvent) {
        records.append {
            records.json.members(event.record)
            switch event {
            case .dropEverything, .end: break
            case .resync(let resynced): records.json.members(computed, of: resynced.stored.quake)
            case .change(let relevant):
                records.json.members(computed, of: relevant.change.after ?? relevant.change.before)
            }
        }
    }

    func writeHeartbeat(token: HistoryToken, time: Timestamp) {
        records.append {
            records.json.members(["kind": "heartbeat", "token": token.description, "time": time])
        }
    }

    func end() { records.end() }
}
