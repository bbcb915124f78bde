import QuakeModel

/// Writes changes as comma- or tab-separated values: a header line before the first event, then one line for each event
/// except the end event.
///
/// The columns that describe the change are followed by each property's values before and after the change.
final class ChangesDelimitedRenderer: HistoryRenderer {
    private static let columns = [
        "kind", "change_id", "transaction", "time", "author", "context", "op", "reason", "quake", "id", "changed",
        "merged_into", "timeliness", "token", "published",
    ]

    private let rows: DelimitedRows
    private let computed: ComputedFields
    /// The computed fields in the columns before the compared properties, and those after these properties.
    private let places: (first: [QuakeField], last: [QuakeField])
    private let compared: [QuakeProperty]
    private var hasHeader = false

    init(_ delimiter: DelimitedRows.Delimiter, into output: ByteBuffer, _ style: RecordStyle) {
        rows = DelimitedRows(output, delimiter, facesTerminal: style.facesTerminal)
        computed = style.computed
        let fields = computed.fields
        places = (
            fields.filter { !QuakeField.laterAdditions.contains($0) }, fields.filter(QuakeField.laterAdditions.contains)
        )
        compared = style.comparedProperties.map(QuakeField.property).inColumnOrder.compactMap(\.property)
    }

    func write(_ event: HistoryEvent) {
        if !hasHeader {
            let sides = compared.flatMap { ["\($0.rawValue)_before", "\($0.rawValue)_after"] }
            rows.appendLine(Self.columns + places.first.map(\.name) + sides + places.last.map(\.name))
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
        case .end: break
        }
    }

    private func cells(_ relevant: RelevantChange) -> [String?] {
        let change = relevant.change
        let transaction = relevant.transaction
        var survivor: String?
        if case .delete(_, let key?) = change.effect { survivor = "\(key)" }
        let published = transaction.provenance?.generated
        return [
            "change", "\(change.id)", "\(transaction.number)",
            transaction.time.iso8601, transaction.author, transaction.purpose,
            relevant.operation.rawValue, change.reason.rawValue, "\(change.quakeKey)",
            (change.after ?? change.before)?.id, change.changed.map(\.rawValue).joined(separator: " "), survivor,
            relevant.timeliness?.rawValue, relevant.token?.description,
            published?.iso8601,
        ]
    }

    private func row(_ cells: [String?], before: Quake?, after: Quake?) {
        for index in Self.columns.indices { rows.append(index < cells.count ? cells[index] : nil) }
        append(places.first, of: after ?? before)
        for property in compared {
            for quake in [before, after] { rows.append(property, of: quake) }
        }
        append(places.last, of: after ?? before)
        rows.endLine()
    }

    private func append(_ fields: [QuakeField], of quake: Quake?) {
        for field in fields {
            let value = quake.map { computed.value(field, $0) } ?? .null
            value.withField { rows.append($0, .plain) }
        }
    }
}
