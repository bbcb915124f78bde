package import QuakeModel

/// Writes quakes as comma- or tab-separated values: a header line, then one line per quake. Values that a spreadsheet
/// would interpret as a formula are not changed.
package final class DelimitedRenderer: QuakeRenderer {
    package let fields: [QuakeField]
    private let headings: [String]
    private let encodings: [FieldEncoding]
    private let delimiter: DelimitedRows.Delimiter
    private let rows: DelimitedRows
    private let output: ByteBuffer

    init(
        _ fields: [QuakeField], _ delimiter: DelimitedRows.Delimiter, into output: ByteBuffer, _ style: RecordStyle
    ) {
        self.fields = fields
        headings = style.headings + fields.dropFirst(style.headings.count).map(\.name)
        self.delimiter = delimiter
        self.output = output
        encodings = fields.map { FieldEncoding($0, style.localTime) }
        rows = DelimitedRows(output, delimiter, facesTerminal: style.facesTerminal)
    }

    package func begin() { rows.appendLine(headings) }

    package func writeRow(_ field: (Int) -> FieldValue) {
        if encodings.count == 1, delimiter == .comma, case .null = field(0) {
            // Some readers skip empty lines, so a line whose only value is missing is written `""`.
            output.append("\"\"\n")
        } else {
            for index in encodings.indices { rows.append(field(index), encodings[index]) }
            rows.endLine()
        }
    }
}
