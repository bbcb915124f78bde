import QuakeModel

/// Writes quakes as a table for people. Numbers are rounded, so scripts should use another format.
final class TableRenderer: QuakeRenderer {
    /// Returns the default columns, with the distance if there is a site, the nearest site if there are several, and
    /// the property that the quakes are sorted by. Columns that can be cut are last.
    static func defaultFields(sites: [Site], sortedBy property: QuakeProperty? = nil) -> [QuakeField] {
        let relative: [QuakeField] = sites.isEmpty ? [] : [.distance]
        let fields = [.property(.time), .property(.mag), .property(.depth)] + relative
        let sorted = property.map { fields.contains(.property($0)) ? [] : [QuakeField.property($0)] } ?? []
        return fields + sorted + [.property(.id), .property(.place)] + (sites.count > 1 ? [.site] : [])
    }

    /// Returns the fields, plus the type if places have to mention it because there is no column for it.
    static func fieldsToFetch(for fields: [QuakeField]) -> [QuakeField] {
        let needsType = fields.contains(.property(.place)) && !fields.contains(.property(.type))
        return needsType ? fields + [.property(.type)] : fields
    }

    let writer: ByteWriter
    private let table: TextTable<[FieldValue]>
    private let indices: Range<Int>

    init(_ fields: [QuakeField], writer: ByteWriter, style: OutputStyle) {
        (self.writer, indices) = (writer, Self.fieldsToFetch(for: fields).indices)
        let typeIndex = indices.count > fields.count ? fields.count : nil
        let columns = fields.enumerated().map { index, field in
            let column = TableColumn(field, style)
            return TextColumn<[FieldValue]>(
                column.title, column.width, least: column.least, rank: column.rank, isNumber: column.isNumber,
                color: { TableColor.of(field.property, $0[index]) },
                text: { row in
                    guard field == .property(.place), let kind = typeIndex.flatMap({ Quake.kind(ofType: row[$0].text) })
                    else { return column.text(of: row[index]) }
                    return Quake.place(row[index].text, ofKind: kind)
                })
        }
        table = TextTable(columns, writer, style)
    }

    func begin() { table.writeHeader() }

    func row(_ field: (Int) -> FieldValue) throws(OutputError) {
        table.write(indices.map(field))
        try writer.flushIfFull()
    }

    var omission: String? { table.omission }
}
