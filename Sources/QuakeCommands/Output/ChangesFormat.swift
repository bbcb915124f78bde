import ArgumentParser
import QuakeModel

/// The forms in which changes are written.
enum ChangesFormat: String, CaseIterable, ExpressibleByArgument, Sendable {
    /// A line a change, for reading.
    case table
    /// One JSON array of records.
    case json
    /// One record a line.
    case ndjson
    /// Comma-separated values; the token goes to standard error unless it is kept.
    case csv
    /// Tab-separated values; the token goes to standard error unless it is kept.
    case tsv

    /// The renderer that writes in this form; the one place that knows every form.
    func renderer(_ writer: ByteWriter, _ style: ChangesStyle) -> any ChangesRenderer {
        switch self {
        case .table:
            ChangesTableRenderer(
                writer: writer, usesEpochTime: style.usesEpochTime, printsToken: style.tokenAside != nil)
        case .json: ChangesJSONRenderer(writer: writer, framing: .document, usesEpochTime: style.usesEpochTime)
        case .ndjson: ChangesJSONRenderer(writer: writer, framing: .lines, usesEpochTime: style.usesEpochTime)
        case .csv: ChangesDelimitedRenderer(writer: writer, delimiter: .comma, style: style)
        case .tsv: ChangesDelimitedRenderer(writer: writer, delimiter: .tab, style: style)
        }
    }
}

/// What every form of changes is told about the way to write.
struct ChangesStyle {
    /// Moments as epoch milliseconds instead of ISO 8601.
    var usesEpochTime = false
    /// Whether a terminal reads along.
    var facesTerminal = false
    /// Where forms without an end record say the token; nil where somebody keeps it.
    var tokenAside: ByteWriter?
}

/// Writes the events of a history in one form.
protocol ChangesRenderer: AnyObject {
    /// Writes one event.
    func write(_ event: HistoryEvent) throws(OutputError)
    /// Writes what comes after the last event, and everything that still waits in memory.
    func finish() throws(OutputError)
}
