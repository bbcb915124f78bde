import QuakeModel

/// Writes events as JSON records, one a line, or as one array of them.
final class ChangesJSONRenderer: ChangesRenderer {
    private let writer: ByteWriter
    private let json: JSONWriter
    private let framing: JSONRenderer.Framing
    private var isFirst = true
    /// The token after a transaction differs from record to record only in its number and fingerprint.
    private var storeID = ""

    init(writer: ByteWriter, framing: JSONRenderer.Framing, usesEpochTime: Bool) {
        self.writer = writer
        self.framing = framing
        json = JSONWriter(writer, usesEpochTime: usesEpochTime)
    }

    func write(_ event: HistoryEvent) throws(OutputError) {
        if framing == .document { writer.append(literal: isFirst ? "[\n" : ",\n") }
        isFirst = false
        switch event {
        case .dropEverything(let fault):
            json.object {
                json.member("kind", "drop-everything")
                json.member("reason", fault.rawValue)
            }
        case .resync(let stored):
            json.object {
                json.member("kind", "change")
                json.member("op", "insert")
                json.member("resync", true)
                json.member("quake", stored.key)
                json.member("id", stored.quake.id)
                json.member("ids", stored.quake.aliases)
                json.member("after", stored.quake)
            }
        case .change(let relevant): write(relevant)
        case .end(let end):
            json.object {
                json.member("kind", "end")
                json.member("token", end.token.description)
                json.member("head", end.head.description)
                json.member("floor", end.floor)
                json.member("more", end.hasMore)
                json.member("count", end.count)
            }
        }
        switch framing {
        case .lines: try json.endLine()
        case .document: try json.endElement()
        }
    }

    private func write(_ relevant: RelevantChange) {
        let change = relevant.change
        let state = change.after ?? change.before
        json.object {
            json.member("kind", "change")
            json.member("change_id", change.id)
            json.member("op", relevant.crossing.rawValue)
            json.member("reason", change.reason.rawValue)
            json.member("quake", change.quakeKey)
            json.member("id", state?.id)
            json.member("ids", state?.aliases ?? [])
            json.member("changed", change.changed.map(\.rawValue))
            switch change.effect {
            case .insert(let quake):
                json.nullMember("before")
                json.member("after", quake)
            case .update(let before, let after, let changed):
                json.member("before", before, properties: changed)
                json.member("after", after, properties: changed)
            case .delete(let tombstone, let survivor):
                json.member("tombstone", tombstone)
                json.member("merged_into", survivor)
            }
            json.object("transaction") {
                let transaction = relevant.transaction
                json.member("number", transaction.number)
                json.member("time", transaction.time)
                json.member("author", transaction.author)
                json.member("context", transaction.context)
                json.member("feed", transaction.provenance == nil ? nil : transaction.context)
                json.member("generated", transaction.provenance?.generated)
            }
        }
    }

    func finish() throws(OutputError) {
        if framing == .document { writer.append(literal: isFirst ? "[]\n" : "\n]\n") }
        try writer.flush()
    }
}
