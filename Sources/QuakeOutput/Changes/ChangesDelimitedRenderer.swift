import QuakeModel

/// Writes changes as comma- or tab-separated values: a header line, then one line per record.
///
/// The columns `before` and `after` contain JSON. The end is not a row: its token goes to standard error, unless a
/// consumer or a file keeps it.
final class ChangesDelimitedRenderer: ChangesRenderer {
    /// The columns in their order.
    static let columns = [
        "kind", "change_id", "transaction", "time", "author", "feed", "op", "reason", "quake", "id", "changed",
        "before", "after", "merged_into", "timeliness", "token", "generated",
    ]

    private let writer: ByteWriter
    private let errors: ByteWriter?
    private let delimiter: Delimiter
    private let usesEpochTime: Bool
    private let facesTerminal: Bool
    /// The point from which to measure, if the command line names one.
    private let reference: ReferencePoint?
    private var hasHeader = false

    init(writer: ByteWriter, delimiter: Delimiter, style: OutputStyle) {
        self.writer = writer
        self.delimiter = delimiter
        errors = style.tokenAside
        usesEpochTime = style.usesEpochTime
        facesTerminal = style.facesTerminal
        reference = style.display.referenceForPrograms
    }

    func write(_ event: HistoryEvent) throws(OutputError) {
        if !hasHeader { row(Self.columns + (reference == nil ? [] : QuakeField.relative.map(\.name))) }
        hasHeader = true
        switch event {
        case .dropEverything(let fault):
            row(
                ["drop-everything", nil, nil, nil, nil, nil, nil, fault.rawValue] + Array(repeating: nil, count: 9)
                    + way(to: nil))
        case .resync(let resynced):
            let stored = resynced.stored
            row(
                [
                    "change", nil, nil, nil, nil, nil, "insert", "resync", "\(stored.key)", stored.quake.id, nil, nil,
                    json(stored.quake, QuakeProperty.allCases), nil, resynced.timeliness?.rawValue, nil, nil,
                ] + way(to: stored.quake))
        case .change(let relevant): row(fields(relevant))
        case .end(let end):
            errors?.append("\(end.count.counted("change"))\(end.hasMore ? ", more follow" : ""); token \(end.token)\n")
        }
        try writer.flushIfFull()
    }

    private func fields(_ relevant: RelevantChange) -> [String?] {
        let (change, transaction) = (relevant.change, relevant.transaction)
        let properties = change.kind == .update ? change.changed : QuakeProperty.allCases
        var survivor: String?
        if case .delete(_, let key?) = change.effect { survivor = "\(key)" }
        return [
            "change", "\(change.id)", "\(transaction.number)", transaction.time.words(usesEpochTime: usesEpochTime),
            transaction.author, transaction.context,
            relevant.crossing.rawValue, change.reason.rawValue, "\(change.quakeKey)",
            (change.after ?? change.before)?.id, change.changed.map(\.rawValue).joined(separator: ","),
            change.before.map { json($0, properties) }, change.after.map { json($0, properties) }, survivor,
            relevant.timeliness?.rawValue, relevant.token?.description,
            transaction.provenance?.generated?.words(usesEpochTime: usesEpochTime),
        ] + way(to: change.after ?? change.before)
    }

    /// Distance and bearing, if there are columns for them.
    private func way(to quake: Quake?) -> [String?] {
        guard let reference else { return [] }
        let values = [
            quake.map { reference.distance(to: $0.epicenter) }, quake.flatMap { reference.bearing(to: $0.epicenter) },
        ]
        return values.map { $0.map { QuakeValue.real($0).words(of: .mag) } }
    }

    private func json(_ quake: Quake, _ properties: [QuakeProperty]) -> String {
        let target = ByteWriter(descriptor: -1)
        let json = JSONWriter(target, usesEpochTime: usesEpochTime)
        json.object { json.members(properties, of: quake) }
        return target.pendingText
    }

    private func row(_ fields: [String?]) {
        for (index, field) in fields.enumerated() {
            if index > 0 { writer.append(byte: delimiter.byte) }
            guard var field else { continue }
            field.withUTF8 { writer.append(field: $0, delimiter, facesTerminal: facesTerminal) }
        }
        writer.append(byte: UInt8(ascii: "\n"))
    }

    func finish() throws(OutputError) {
        try writer.flush()
        try errors?.flush()
    }
}
