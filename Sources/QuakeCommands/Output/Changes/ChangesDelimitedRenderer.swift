import QuakeModel

/// Writes changes as comma- or tab-separated values: a header line, then one line per record.
///
/// The columns that describe the change are followed by each property's values before and after the change. There is no
/// end record; the token goes to standard error unless it is saved.
final class ChangesDelimitedRenderer: ChangesRenderer {
    static let columns = [
        "kind", "change_id", "transaction", "time", "author", "context", "op", "reason", "quake", "id", "changed",
        "merged_into", "timeliness", "token", "generated",
    ]

    private let writer: ByteWriter
    private let rows: DelimitedRows
    private let style: OutputStyle
    /// The fields to compute if the command line specifies a site or a time zone: those before the compared properties,
    /// and those after them.
    private let computed: (first: [QuakeField], last: [QuakeField])
    private let compared: [QuakeProperty]
    private var hasHeader = false

    init(writer: ByteWriter, delimiter: DelimitedRows.Delimiter, style: OutputStyle) {
        self.writer = writer
        self.style = style
        rows = DelimitedRows(writer, delimiter, style)
        let fields = style.display.fieldsForPrograms
        computed = (fields.filter { !QuakeField.added.contains($0) }, fields.filter(QuakeField.added.contains))
        compared = style.comparedProperties.map(QuakeField.property).inColumnOrder.compactMap(\.property)
    }

    func write(_ event: HistoryEvent) throws(OutputError) {
        if !hasHeader {
            let sides = compared.flatMap { ["\($0.rawValue)_before", "\($0.rawValue)_after"] }
            rows.line(Self.columns + computed.first.map(\.name) + sides + computed.last.map(\.name))
        }
        hasHeader = true
        switch event {
        case .dropEverything(let fault):
            row(["drop-everything"] + Array(repeating: nil, count: 6) + [fault.rawValue], before: nil, after: nil)
        case .resync(let resynced):
            let stored = resynced.stored
            row(
                [
                    "change", nil, nil, nil, nil, nil, "insert", "resync", "\(stored.key)", stored.quake.id, nil, nil,
                    resynced.timeliness?.rawValue,
                ], before: nil, after: stored.quake)
        case .change(let relevant): row(cells(relevant), before: relevant.change.before, after: relevant.change.after)
        case .end(let end): style.tokenAside?.append(end.aside)
        }
        try writer.flushIfFull()
    }

    private func cells(_ relevant: RelevantChange) -> [String?] {
        let change = relevant.change
        let transaction = relevant.transaction
        var survivor: String?
        if case .delete(_, let key?) = change.effect { survivor = "\(key)" }
        let generated = transaction.provenance?.generated
        return [
            "change", "\(change.id)", "\(transaction.number)",
            transaction.time.iso8601, transaction.author, transaction.purpose,
            relevant.operation.rawValue, change.reason.rawValue, "\(change.quakeKey)",
            (change.after ?? change.before)?.id, change.changed.map(\.rawValue).joined(separator: " "), survivor,
            relevant.timeliness?.rawValue, relevant.token?.description,
            generated?.iso8601,
        ]
    }

    private func row(_ cells: [String?], before: Quake?, after: Quake?) {
        for index in Self.columns.indices { rows.append(index < cells.count ? cells[index] : nil) }
        for field in computed.first { rows.append(field, of: after ?? before) }
        for property in compared {
            for quake in [before, after] { rows.append(.property(property), of: quake) }
        }
        for field in computed.last { rows.append(field, of: after ?? before) }
        rows.endLine()
    }

    func finish() throws(OutputError) {
        try writer.flush()
        try style.tokenAside?.flush()
    }
}
