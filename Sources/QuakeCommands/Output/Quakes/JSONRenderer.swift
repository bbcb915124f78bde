import QuakeModel

/// Writes quakes as JSON objects with names from the feeds: in one array, or one object per line.
final class JSONRenderer: QuakeRenderer {
    let fields: [QuakeField]
    var writer: ByteWriter { records.writer }
    private let records: JSONRecords
    private let members: JSONMembers

    init(_ fields: [QuakeField], framing: JSONRecords.Framing, writer: ByteWriter, style: OutputStyle) {
        self.fields = fields
        records = JSONRecords(writer, framing)
        members = JSONMembers(fields, style)
    }

    func row(_ field: (Int) -> FieldValue) throws(OutputError) {
        try records.append { members.write(to: records.json, field) }
    }

    func end() throws(OutputError) { try records.end() }
}
