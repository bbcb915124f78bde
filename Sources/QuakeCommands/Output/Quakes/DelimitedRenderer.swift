import QuakeModel
import QuakeSystem

/// Writes quakes as comma- or tab-separated values: a header line, then one line per quake. Values are never changed,
/// not even those that a spreadsheet would interpret as a formula.
final class DelimitedRenderer: QuakeRenderer {
    let fields: [QuakeField]
    private let headings: [String]
    private let encodings: [FieldEncoding]
    private let delimiter: DelimitedRows.Delimiter
    private let rows: DelimitedRows
    let writer: ByteWriter

    /// - Parameter headings: The names of the first columns. Other columns are named after their fields.
    init(
        _ fields: [QuakeField], headings: [String]?, delimiter: DelimitedRows.Delimiter, writer: ByteWriter,
        style: OutputStyle
    ) {
        self.fields = fields
        self.headings = headings.map { $0 + fields.dropFirst($0.count).map(\.name) } ?? fields.map(\.name)
        self.delimiter = delimiter
        self.writer = writer
        encodings = fields.map { FieldEncoding($0, style) }
        rows = DelimitedRows(writer, delimiter, style)
    }

    func begin() { rows.line(headings) }

    func row(_ field: (Int) -> FieldValue) throws(OutputError) {
        if encodings.count == 1, delimiter == .comma, case .null = field(0) {
            // Some readers skip empty lines, so a line whose only value is missing must not be empty.
            writer.append("\"\"\n")
        } else {
            for index in encodings.indices { rows.append(field(index), encodings[index]) }
            rows.endLine()
        }
        try writer.flushIfFull()
    }
}
