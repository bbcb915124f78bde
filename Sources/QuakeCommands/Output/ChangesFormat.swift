import ArgumentParser
import QuakeModel
import QuakeStore

/// The formats of changes.
enum ChangesFormat: String, CaseIterable, ExpressibleByArgument, Sendable {
    /// One line per change, for people.
    case table
    /// One JSON array of records.
    case json
    /// One JSON record per line.
    case ndjson
    /// Comma-separated values. The token goes to standard error unless it is kept.
    case csv
    /// Tab-separated values. The token goes to standard error unless it is kept.
    case tsv

    /// The renderer for this format. A new format does not compile until it has a renderer here.
    func renderer(_ writer: ByteWriter, _ style: ChangesStyle) -> any ChangesRenderer {
        switch self {
        case .table: ChangesTableRenderer(writer: writer, style: style)
        case .json: ChangesJSONRenderer(writer: writer, framing: .document, style: style)
        case .ndjson: ChangesJSONRenderer(writer: writer, framing: .lines, style: style)
        case .csv: ChangesDelimitedRenderer(writer: writer, delimiter: .comma, style: style)
        case .tsv: ChangesDelimitedRenderer(writer: writer, delimiter: .tab, style: style)
        }
    }
}

/// How changes are written: in a format, or as a template describes it.
enum ChangesRendering {
    case format(ChangesFormat)
    case template(OutputTemplate, remarks: StandardStream)

    /// The renderer.
    func renderer(_ writer: ByteWriter, _ style: ChangesStyle) -> any ChangesRenderer {
        switch self {
        case .format(let format): format.renderer(writer, style)
        case .template(let template, let remarks):
            ChangesTemplateRenderer(template, writer: writer, remarks: remarks, style: style)
        }
    }

    /// Whether it is a table, which may go through a pager.
    var isForPeople: Bool {
        if case .format(.table) = self { true } else { false }
    }
}

/// Settings for the renderers of changes.
struct ChangesStyle {
    /// Write moments as epoch milliseconds instead of ISO 8601.
    var usesEpochTime = false
    /// Whether the output goes to a terminal.
    var facesTerminal = false
    /// Where formats without an end record print the token; nil if the token is kept.
    var tokenAside: ByteWriter?
    /// The width of the terminal; nil if the output does not go to one. This and the following are for the table.
    var terminalColumns: Int?
    /// Whether colour may be used.
    var usesColor = false
    /// Whether to list every value that changed, also those of bookkeeping.
    var listsEverything = false
    /// The present time, from which ages count.
    var now: Timestamp?
    /// How lengths and times are written for people, and where distances are measured from.
    var display = DisplayStyle()
    /// The present id of the quake under a local key.
    var idOfKey: ((Int64) -> String?)?
}

extension ChangesStyle {
    /// The style for standard output.
    init(
        _ environment: CommandEnvironment, _ global: GlobalOptions, usesEpochTime: Bool,
        display: DisplayStyle = DisplayStyle(), context: QuakeContext? = nil
    ) {
        let stream = environment.standardOutput
        self.init(
            usesEpochTime: usesEpochTime, facesTerminal: stream.isTerminal,
            terminalColumns: stream.columnsOfTerminal,
            usesColor: global.allowsColor(on: stream, in: environment), listsEverything: global.isVerbose,
            now: environment.now(), display: display, idOfKey: { key in try? context?.quake(forKey: key)?.quake.id })
    }
}

/// Writes the events of a history in one format.
protocol ChangesRenderer: AnyObject {
    /// Writes one event.
    func write(_ event: HistoryEvent) throws(OutputError)
    /// Says that everything up to `token` was written. Only for formats that `--follow` can write.
    func writeHeartbeat(token: HistoryToken, time: Timestamp) throws(OutputError)
    /// Writes what follows the last event, and flushes.
    func finish() throws(OutputError)
}

extension ChangesRenderer {
    func writeHeartbeat(token: HistoryToken, time: Timestamp) throws(OutputError) {}
}

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

    init(writer: ByteWriter, delimiter: Delimiter, style: ChangesStyle) {
        self.writer = writer
        self.delimiter = delimiter
        errors = style.tokenAside
        usesEpochTime = style.usesEpochTime
        facesTerminal = style.facesTerminal
        reference = style.display.reference.flatMap { $0.isOnCommandLine ? $0 : nil }
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
