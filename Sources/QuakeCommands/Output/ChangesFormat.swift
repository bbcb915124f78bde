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
    func renderer(
        _ writer: ByteWriter, errors: ByteWriter, usesEpochTime: Bool, printsTokenAside: Bool
    ) -> any ChangesRenderer {
        switch self {
        case .table: ChangesTableRenderer(writer: writer, printsToken: printsTokenAside)
        case .json: ChangesJSONRenderer(writer: writer, framing: .document, usesEpochTime: usesEpochTime)
        case .ndjson: ChangesJSONRenderer(writer: writer, framing: .lines, usesEpochTime: usesEpochTime)
        case .csv:
            ChangesDelimitedRenderer(
                writer: writer, errors: printsTokenAside ? errors : nil, delimiter: .comma, usesEpochTime: usesEpochTime)
        case .tsv:
            ChangesDelimitedRenderer(
                writer: writer, errors: printsTokenAside ? errors : nil, delimiter: .tab, usesEpochTime: usesEpochTime)
        }
    }
}

/// Writes the events of a history in one form.
protocol ChangesRenderer: AnyObject {
    /// Writes one event.
    func write(_ event: HistoryEvent) throws(OutputError)
    /// Writes what comes after the last event, and everything that still waits in memory.
    func finish() throws(OutputError)
}
