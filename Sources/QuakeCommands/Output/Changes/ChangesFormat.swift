import ArgumentParser
import QuakeFormats
import QuakeModel

enum ChangesFormat: String, WordArgument, Sendable {
    case table, json, ndjson
    /// Comma-separated values. The token goes to standard error unless it is saved.
    case csv
    /// Tab-separated values. The token goes to standard error unless it is saved.
    case tsv

    static let synonyms = ["jsonl": ChangesFormat.ndjson, "text": .table]

    func renderer(_ writer: ByteWriter, _ style: OutputStyle) -> any ChangesRenderer {
        func records(_ format: ChangeFormat, tokenWriter: ByteWriter? = nil) -> ChangesRecordRenderer {
            ChangesRecordRenderer(
                format.renderer(into: writer.pending, style.forRecords), writer, tokenWriter: tokenWriter)
        }
        return switch self {
        case .table: ChangesTableRenderer(writer: writer, style: style)
        case .json: records(.json)
        case .ndjson: records(.ndjson)
        case .csv: records(.csv, tokenWriter: style.tokenWriter)
        case .tsv: records(.tsv, tokenWriter: style.tokenWriter)
        }
    }
}
