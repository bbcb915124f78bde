import QuakeFormats
import QuakeModel

extension DelimitedRows {
    /// Starts comma-separated values, with a header line of `columns`.
    init(_ writer: ByteWriter, columns: [String], _ style: OutputStyle) {
        self.init(writer.pending, .comma, facesTerminal: style.facesTerminal)
        appendLine(columns)
    }

    func append(_ fields: [QuakeField], of quake: Quake, _ display: DisplayStyle) {
        for field in fields {
            display.value(of: field, of: quake).withField {
                append($0, FieldEncoding(field, display.timeZone.secondWords))
            }
        }
        endLine()
    }
}
