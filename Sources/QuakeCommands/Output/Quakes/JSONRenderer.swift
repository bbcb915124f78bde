import QuakeModel

/// Writes quakes as JSON objects with names from the feeds: in one array, or one object per line.
final class JSONRenderer: QuakeRenderer {
    var writer: ByteWriter { records.writer }
    private let records: JSONRecords
    private let members: JSONMembers

    init(_ fields: [QuakeField], framing: JSONRecords.Framing, writer: ByteWriter, style: OutputStyle) {
        records = JSONRecords(writer, framing)
        members = JSONMembers(fields, style)
    }

    func row(_ field: (Int) -> FieldValue) throws(OutputError) {
        try records.append { members.write(to: records.json, field) }
    }

    func end() throws(OutputError) { try records.end() }
}

/// The members of a JSON object for fields of a quake.
struct JSONMembers {
    private let members: [(name: JSONName, index: Int, encoding: FieldEncoding)]

    /// Creates the members for `fields`, whose values start at index `firstIndex` of a row. Sets are arrays and moments
    /// are ISO 8601; with `isAsInFeed`, sets are texts and moments are epoch milliseconds.
    init(_ fields: some Collection<QuakeField>, _ style: OutputStyle, firstIndex: Int = 0, isAsInFeed: Bool = false) {
        members = fields.enumerated().map { offset, field in
            let isPlain = isAsInFeed && field.property != nil
            return (JSONName(field.name), firstIndex + offset, isPlain ? .plain : FieldEncoding(field, style))
        }
    }

    func write(to json: JSONWriter, _ field: (Int) -> FieldValue) {
        // A copy of each element would cost a tenth of the time of a long list.
        for place in members.indices {
            json.key(members[place].name)
            json.value(field(members[place].index), members[place].encoding)
        }
    }
}
