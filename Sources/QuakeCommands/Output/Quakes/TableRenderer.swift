import QuakeFormats
import QuakeModel

/// Writes quakes as a table for people. Numbers are rounded, so scripts should use another format.
final class TableRenderer: QuakeRenderer {
    /// Returns the default columns. They include the distance if there is a site, the name of the nearest site if there
    /// are several, and the property that the quakes are sorted by. Columns that can be shortened are last.
    static func defaultFields(sites: [Site], sortedBy property: QuakeProperty? = nil) -> [QuakeField] {
        let relative: [QuakeField] = sites.isEmpty ? [] : [.distance]
        let fields = [.property(.time), .property(.mag), .property(.depth)] + relative
        let sorted = property.map { fields.contains(.property($0)) ? [] : [QuakeField.property($0)] } ?? []
        return fields + sorted + [.property(.id), .property(.place)] + (sites.count > 1 ? [.site] : [])
    }

    /// Returns the fields to fetch: those shown, and the type if there is no column for it, so that the place column
    /// can mention the type.
    private static func fieldsToFetch(for fields: [QuakeField]) -> [QuakeField] {
        let needsType = fields.contains(.property(.place)) && !fields.contains(.property(.type))
        return needsType ? fields + [.property(.type)] : fields
    }

    let fields: [QuakeField]
    private let table: TextTable<[FieldValue]>

    /// Creates a table with a column for each field of `shown`.
    init(_ shown: [QuakeField], writer: ByteWriter, style: OutputStyle) {
        fields = Self.fieldsToFetch(for: shown)
        let typeIndex = fields.count > shown.count ? shown.count : nil
        let columns = shown.enumerated().map { index, field in
            let column = TableColumn(field, style)
            return TextColumn<[FieldValue]>(
                column.title, column.width, minimumWidth: column.minimumWidth, priority: column.priority,
                isNumber: column.isNumber,
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

    func writeRow(_ field: (Int) -> FieldValue) { table.write(fields.indices.map(field)) }

    /// A message that names the columns omitted on a narrow terminal; nil if there are none.
    var omission: String? { table.omission }
}

/// A table column for a field. Its width does not depend on the values, so that the first row can be written before the
/// last is read.
private struct TableColumn {
    private let field: QuakeField
    private let layout: ColumnLayout
    private let style: OutputStyle

    init(_ field: QuakeField, _ style: OutputStyle) {
        self.field = field
        self.style = style
        let hasSeconds = style.terminalColumns ?? .max >= 88
        layout =
            switch field {
            case .localTime: .text(width: hasSeconds ? 19 : 16)
            case .property(let property) where property.kind == .time: .text(width: hasSeconds ? 19 : 16)
            case .property(let property): property.traits.layout
            case .distance, .nearestCityDistance: .number(whole: 5, fraction: 1)
            case .bearing, .nearestCityBearing: .text(width: 8)
            case .intensity: .text(width: 17)
            case .nearestCity: .cuttable(width: 30)
            case .region, .site: .cuttable(width: 20)
            }
    }

    /// The title, with the zone for times and the unit for lengths.
    var title: String {
        let display = style.display
        return switch field {
        case .property(.time): "TIME (\(display.timeZone.title))"
        case .property(.updated) where !display.timeZone.isUTC: "UPDATED (\(display.timeZone.title))"
        case .property(let property) where property.isLength:
            "\(field.name) \(display.unit.rawValue)".uppercased()
        case .distance: "DIST \(display.unit.rawValue.uppercased())"
        case .intensity: "INTENSITY"
        case .nearestCity: "NEAREST CITY"
        case .nearestCityDistance: "CITY \(display.unit.rawValue.uppercased())"
        case .nearestCityBearing: "FROM CITY"
        case .localTime: "TIME (\(display.timeZone.title))"
        case .property, .region, .bearing, .site: field.name.uppercased()
        }
    }

    var width: Int {
        switch layout {
        case .text(let width), .cuttable(let width): width
        case .number(let whole, let fraction): whole + (fraction > 0 ? 1 + fraction : 0)
        }
    }

    var minimumWidth: Int { if case .cuttable = layout { 12 } else { .max } }

    var isNumber: Bool { if case .number = layout { true } else { false } }

    var priority: Int {
        switch field {
        case .property(.time), .property(.mag), .property(.place): .max
        // The id is omitted last, because other commands need it.
        case .property(.id): 1
        default: 0
        }
    }

    func text(of value: FieldValue) -> String {
        switch (layout, value) {
        case (.number(_, let fraction), .null): aligned("-", fraction)
        case (_, .null): "-"
        case (.number(_, let fraction), _): value.number.map { number($0, fraction) } ?? "?"
        case (_, .text): text(value.text ?? "")
        case (_, .integer(let milliseconds)): moment(Timestamp(milliseconds: milliseconds))
        case (_, .real(let number)):
            field == .intensity
                ? IntensityLevel(nearestTo: number).description
                : "\(Int(number.rounded()) % 360)° \(CompassWord.of(degrees: number))"
        }
    }

    private func text(_ text: String) -> String {
        guard case .property(let property) = field else { return text }
        if property.traits.isSet { return text.split(separator: ",").joined(separator: " ") }
        return property == .title ? text.headline : text
    }

    private func number(_ number: Double, _ fraction: Int) -> String {
        switch field {
        case .property(.mag): Quake.titleMagnitude(number)
        case .property(.depth), .property(.horizontalError), .property(.depthError), .distance, .nearestCityDistance:
            aligned(PlainNumber.text(style.display.unit.amount(ofKilometers: number), decimals: fraction), fraction)
        default: aligned(PlainNumber.text(number, decimals: fraction), fraction)
        }
    }

    /// Returns `number`, padded at the end with spaces in place of missing decimals, up to `fraction`, so that decimal
    /// points align.
    private func aligned(_ number: String, _ fraction: Int) -> String {
        let missing = (fraction > 0 ? fraction + 1 : 0) - number.utf8.drop { $0 != UInt8(ascii: ".") }.count
        return number + String(repeating: " ", count: max(0, missing))
    }

    /// Returns the moment in words. On a terminal, returns its age instead if that is less than a day.
    private func moment(_ moment: Timestamp) -> String {
        if style.facesTerminal, let now = style.now, moment <= now, now - moment < .seconds(86_400) {
            return moment.age(at: now)
        }
        return width < 19 ? style.display.timeZone.minuteWords(moment) : style.display.timeZone.secondWords(moment)
    }
}
