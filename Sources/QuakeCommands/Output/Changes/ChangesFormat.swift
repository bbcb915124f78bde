import ArgumentParser
import QuakeModel

enum ChangesFormat: String, WordArgument, Sendable {
    case table, json, ndjson
    /// Comma-separated values. The token goes to standard error unless it is saved.
    case csv
    /// Tab-separated values. The token goes to standard error unless it is saved.
    case tsv

    static let synonyms = ["jsonl": ChangesFormat.ndjson, "text": .table]

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
