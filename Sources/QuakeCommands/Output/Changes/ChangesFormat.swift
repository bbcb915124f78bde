package import QuakeModel

package enum ChangesFormat: String, CaseIterable, Sendable {
    case table, json, ndjson
    /// Comma-separated values. The token goes to standard error unless it is kept.
    case csv
    /// Tab-separated values. The token goes to standard error unless it is kept.
    case tsv

    /// The renderer for this format. A new format does not compile until it has a renderer here.
    package func renderer(_ writer: ByteWriter, _ style: OutputStyle) -> any ChangesRenderer {
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
package enum ChangesRendering {
    case format(ChangesFormat)
    case template(OutputTemplate, remarks: StandardStream)
    /// Only how many changes there are.
    case count

    package func renderer(_ writer: ByteWriter, _ style: OutputStyle) -> any ChangesRenderer {
        switch self {
        case .format(let format): format.renderer(writer, style)
        case .template(let template, let remarks):
            ChangesTemplateRenderer(template, writer: writer, remarks: remarks, style: style)
        case .count: ChangesCountRenderer(writer: writer)
        }
    }

    /// Whether it is a table.
    package var isForPeople: Bool {
        if case .format(.table) = self { true } else { false }
    }
}

/// Writes the events of a history in one format.
package protocol ChangesRenderer: AnyObject {
    func write(_ event: HistoryEvent) throws(OutputError)
    /// Says that everything up to `token` was written. Only for formats that `--follow` can write.
    func writeHeartbeat(token: HistoryToken, time: Timestamp) throws(OutputError)
    /// Writes what follows the last event, and flushes.
    func finish() throws(OutputError)
}

extension ChangesRenderer {
    package func writeHeartbeat(token: HistoryToken, time: Timestamp) throws(OutputError) {}
}

extension HistoryEnd {
    /// The last line of the formats that have no record for the end.
    var aside: String { "\(count.counted("change"))\(hasMore ? ", more to come" : ""); token \(token)\n" }
}

/// Writes how many changes there are or, where everything is dropped, how many quakes.
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
