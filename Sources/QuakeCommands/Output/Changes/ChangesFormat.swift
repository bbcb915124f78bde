import QuakeModel

enum ChangesFormat: String, CaseIterable, Sendable {
    case table, json, ndjson
    /// Comma-separated values. The token goes to standard error unless it is saved.
    case csv
    /// Tab-separated values. The token goes to standard error unless it is saved.
    case tsv

    /// Returns the renderer for this format. A new format does not compile until it has a renderer here.
    func renderer(_ writer: ByteWriter, _ style: OutputStyle) -> any ChangesRenderer {
        switch self {
        case .table: ChangesTableRenderer(writer: writer, style: style)
        case .json: ChangesJSONRenderer(writer: writer, framing: .document, style: style)
        case .ndjson: ChangesJSONRenderer(writer: writer, framing: .lines, style: style)
        case .csv: ChangesDelimitedRenderer(writer: writer, delimiter: .comma, style: style)
        case .tsv: ChangesDelimitedRenderer(writer: writer, delimiter: .tab, style: style)
        }
    }
}

/// The output form of changes: a format, a template, or only their number.
enum ChangesRendering {
    case format(ChangesFormat)
    case template(OutputTemplate, remarks: StandardStream)
    /// Only the number of changes.
    case count

    func renderer(_ writer: ByteWriter, _ style: OutputStyle) -> any ChangesRenderer {
        let renderer = plainRenderer(writer, style)
        return style.isQuiet && !isComplete ? QuietChangesRenderer(renderer) : renderer
    }

    /// Whether the output is the answer even if nothing changed: the end record, or the number.
    private var isComplete: Bool {
        switch self {
        case .format(.json), .format(.ndjson), .count: true
        case .format(.table), .format(.csv), .format(.tsv), .template: false
        }
    }

    private func plainRenderer(_ writer: ByteWriter, _ style: OutputStyle) -> any ChangesRenderer {
        switch self {
        case .format(let format): format.renderer(writer, style)
        case .template(let template, let remarks):
            ChangesTemplateRenderer(template, writer: writer, remarks: remarks, style: style)
        case .count: ChangesCountRenderer(writer: writer)
        }
    }

    /// Whether changes are written as a table.
    var isForPeople: Bool { if case .format(.table) = self { true } else { false } }
}

/// Writes the events of a history in one format.
protocol ChangesRenderer: AnyObject {
    func write(_ event: HistoryEvent) throws(OutputError)
    /// Reports that everything up to `token` was written. Only used in formats that `--follow` supports.
    func writeHeartbeat(token: HistoryToken, time: Timestamp) throws(OutputError)
    /// Writes the end of the output and flushes.
    func finish() throws(OutputError)
}

extension ChangesRenderer {
    func writeHeartbeat(token: HistoryToken, time: Timestamp) throws(OutputError) {}
}

extension HistoryEnd {
    /// The last line in formats without an end record.
    var aside: String { "\(count.counted("change"))\(hasMore ? ", more remain" : ""); token \(token)\n" }
}

/// Writes nothing if there are no changes, for `--quiet`: neither a header nor a last line.
private final class QuietChangesRenderer: ChangesRenderer {
    private let renderer: any ChangesRenderer

    init(_ renderer: any ChangesRenderer) { self.renderer = renderer }

    func write(_ event: HistoryEvent) throws(OutputError) {
        if case .end(let end) = event, end.count == 0 { return }
        try renderer.write(event)
    }

    func writeHeartbeat(token: HistoryToken, time: Timestamp) throws(OutputError) {
        try renderer.writeHeartbeat(token: token, time: time)
    }

    func finish() throws(OutputError) { try renderer.finish() }
}

/// Writes the number of changes or, in a resync, the number of quakes.
private final class ChangesCountRenderer: ChangesRenderer {
    private let writer: ByteWriter
    private var isResync = false

    init(writer: ByteWriter) { self.writer = writer }

    func write(_ event: HistoryEvent) {
        switch event {
        case .dropEverything: isResync = true
        case .change, .resync: break
        case .end(let end): writer.append("\(isResync ? end.count - 1 : end.count)\n")
        }
    }

    func finish() throws(OutputError) { try writer.flush() }
}
