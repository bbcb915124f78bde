package import QuakeModel

/// Writes events as JSON records: one per line, or all in one array.
final class ChangesJSONRenderer: ChangesRenderer {
    private let writer: ByteWriter
    private let json: JSONWriter
    private let framing: JSONRenderer.Framing
    private let display: DisplayStyle
    private var isFirst = true

    init(writer: ByteWriter, framing: JSONRenderer.Framing, style: OutputStyle) {
        self.writer = writer
        self.framing = framing
        json = JSONWriter(writer, usesEpochTime: style.usesEpochTime)
        display = style.display
    }

    func write(_ event: HistoryEvent) throws(OutputError) {
        try record {
            switch event {
            case .dropEverything(let fault):
                json.member("kind", "drop-everything")
                json.member("reason", fault.rawValue)
            case .resync(let resynced): members(resynced)
            case .change(let relevant): members(relevant)
            case .end(let end):
                json.member("kind", "end")
                json.member("token", end.token.description)
                json.member("head", end.head.description)
                json.member("floor", end.floor)
                json.member("more", end.hasMore)
                json.member("count", end.count)
                json.member("skipped", end.skipped)
            }
        }
    }

    func writeHeartbeat(token: HistoryToken, time: Timestamp) throws(OutputError) {
        try record {
            json.member("kind", "heartbeat")
            json.member("token", token.description)
            json.member("time", time)
        }
    }

    private func record(_ members: () -> Void) throws(OutputError) {
        if framing == .document { writer.append(literal: isFirst ? "[\n" : ",\n") }
        isFirst = false
        json.object(members)
        switch framing {
        case .lines: try json.endLine()
        case .document: try json.endElement()
        }
    }

    /// The members of a resynced quake: those of a change, without a transaction.
    private func members(_ resynced: ResyncedQuake) {
        let stored = resynced.stored
        json.member("kind", "change")
        json.nullMember("change_id")
        json.nullMember("token")
        json.member("op", "insert")
        json.member("reason", "resync")
        json.member("resync", true)
        json.member("timeliness", resynced.timeliness?.rawValue)
        json.member("quake", stored.key)
        json.member("id", stored.quake.id)
        json.member("ids", stored.quake.aliases)
        json.member("changed", [String]())
        json.nullMember("before")
        json.member("after", stored.quake)
        json.nullMember("tombstone")
        json.nullMember("merged_into")
        json.nullMember("transaction")
        json.member("values", stored.quake)
        json.computedMembers(of: stored.quake, display)
    }

    private func members(_ relevant: RelevantChange) {
        let change = relevant.change
        let state = change.after ?? change.before
        json.member("kind", "change")
        json.member("change_id", change.id)
        json.member("token", relevant.token?.description)
        json.member("op", relevant.crossing.rawValue)
        json.member("reason", change.reason.rawValue)
        json.member("resync", false)
        json.member("timeliness", relevant.timeliness?.rawValue)
        json.member("quake", change.quakeKey)
        json.member("id", state?.id)
        json.member("ids", state?.aliases ?? [])
        json.effect(of: change)
        json.object("transaction") {
            let transaction = relevant.transaction
            json.member("number", transaction.number)
            json.member("time", transaction.time)
            json.member("author", transaction.author)
            json.member("context", transaction.context)
            json.member("feed", transaction.provenance == nil ? nil : transaction.context)
            json.member("generated", transaction.provenance?.generated)
        }
        json.member("values", state)
        json.computedMembers(of: state, display)
    }

    func finish() throws(OutputError) {
        if framing == .document { writer.append(literal: isFirst ? "[]\n" : "\n]\n") }
        try writer.flush()
    }
}

extension JSONWriter {
    /// Writes the fields that are computed because the command line names a point or a zone: how `quake` lies from the
    /// point and shakes it, and its local time.
    package func computedMembers(of quake: Quake?, _ display: DisplayStyle) {
        if let reference = display.referenceForPrograms {
            member("distance", quake.map { reference.distance(to: $0.epicenter) })
            member("bearing", quake.flatMap { reference.bearing(to: $0.epicenter) })
            member("shaking", quake.flatMap { reference.shaking(by: $0) })
        }
        if display.namesTimeZone {
            member(QuakeField.localTime.name, quake.map { display.time.secondWords($0.originTime) })
        }
    }

    /// Writes what a change did. Every kind has the same members; those that do not apply are null.
    package func effect(of change: HistoryChange) {
        member("changed", change.changed.map(\.rawValue))
        switch change.effect {
        case .insert(let quake):
            nullMember("before")
            member("after", quake)
            nullMember("tombstone")
            nullMember("merged_into")
        case .update(let before, let after, let changed):
            member("before", before, properties: changed)
            member("after", after, properties: changed)
            nullMember("tombstone")
            nullMember("merged_into")
        case .delete(let tombstone, let survivor):
            nullMember("before")
            nullMember("after")
            member("tombstone", tombstone)
            member("merged_into", survivor)
        }
    }
}
