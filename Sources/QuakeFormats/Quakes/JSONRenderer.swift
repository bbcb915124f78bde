package import QuakeModel

/// Writes quakes as JSON objects, whose members are named by ``QuakeField/name``: in one array, or one object per line.
package final class JSONRenderer: QuakeRenderer {
    package let fields: [QuakeField]
    private let records: JSONRecords
    private let members: JSONMembers

    init(_ fields: [QuakeField], _ framing: JSONRecords.Framing, into output: ByteBuffer, _ style: RecordStyle) {
        self.fields = fields
        records = JSONRecords(output, framing)
        members = JSONMembers(fields, style.localTime)
    }

    package func writeRow(_ field: (Int) -> FieldValue) { records.append { members.write(to: records.json, field) } }

    package func end() { records.end() }
}
