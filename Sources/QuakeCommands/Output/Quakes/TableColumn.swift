import QuakeModel

/// A column of the table. Each property has a fixed width, so that the first row can be written before the last is
/// known.
struct TableColumn {
    let field: QuakeField
    let title: String
    let layout: ColumnLayout

    /// The width of the values or of the title, whichever is greater.
    var width: Int {
        let needed =
            switch layout {
            case .text(let width), .cuttable(let width), .integer(let width): width
            case .decimal(let whole, let fraction): whole + (fraction > 0 ? 1 + fraction : 0)
            case .moment: 19
            case .bearing: 8
            case .shaking: 15
            }
        return max(needed, title.utf8.count)
    }

    init(_ field: QuakeField, usesEpochTime: Bool, display: DisplayStyle = DisplayStyle()) {
        self.field = field
        title = Self.title(of: field, usesEpochTime: usesEpochTime, display)
        layout =
            switch field {
            case .property(let property): Self.layout(of: property, usesEpochTime: usesEpochTime)
            case .distance, .nearestCityDistance: .decimal(whole: 5, fraction: 1)
            case .bearing, .nearestCityBearing: .bearing
            case .shaking: .shaking
            case .nearestCity: .cuttable(width: 30)
            case .region: .cuttable(width: 20)
            case .solved(let field): field.isText ? .cuttable(width: 16) : .decimal(whole: 5, fraction: 2)
            case .localTime: .moment
            }
    }

    /// The title says the zone of times, and a unit that is not the usual one.
    private static func title(of field: QuakeField, usesEpochTime: Bool, _ display: DisplayStyle) -> String {
        switch field {
        case .property(.time) where !usesEpochTime: "TIME (\(display.time.title))"
        case .property(.updated) where !usesEpochTime && !display.time.isUTC: "UPDATED (\(display.time.title))"
        case .property(.depth) where display.unit != .km: "DEPTH \(display.unit.rawValue.uppercased())"
        case .distance: "DIST \(display.unit.rawValue.uppercased())"
        case .shaking: "EXPECTED HERE"
        case .nearestCity: "NEAREST CITY"
        case .nearestCityDistance: "CITY \(display.unit.rawValue.uppercased())"
        case .nearestCityBearing: "FROM CITY"
        case .localTime: "TIME (\(display.time.title))"
        case .property, .region, .bearing, .solved: field.name.uppercased()
        }
    }

    private static func layout(of property: QuakeProperty, usesEpochTime: Bool) -> ColumnLayout {
        property.kind == .time && usesEpochTime ? .integer(width: 13) : property.row.layout
    }
}

extension TableColumn {
    private static let shrinking: [QuakeField] =
        [.property(.time), .property(.updated), .localTime]
        + [.extra, .types, .ids, .sources, .type, .place, .title].map(QuakeField.property)

    /// How the column shrinks on a terminal: seconds of moments first, then texts, the place or title last.
    var fitting: ColumnFit.Column {
        let leastWidth =
            switch layout {
            case .cuttable: min(width, max(12, title.utf8.count))
            case .moment: max(16, title.utf8.count)
            case .text, .integer, .decimal, .bearing, .shaking: width
            }
        return ColumnFit.Column(
            width: width, leastWidth: leastWidth, rank: Self.shrinking.firstIndex(of: field) ?? Self.shrinking.count,
            isEssential: field == .property(.place) || field == .property(.title), isHandle: field == .property(.id))
    }
}

/// The colors of the table, as SGR parameters, that can be read on white and on black.
enum TableColor {
    static let header: StaticString = "1"

    /// The color of a magnitude or an alert level, by severity; nil is the default color of the terminal.
    static func of(_ property: QuakeProperty?, _ value: FieldValue) -> StaticString? {
        switch (property, value) {
        case (.mag, .real(let magnitude)): magnitudeColor(magnitude)
        case (.mag, .integer(let magnitude)): magnitudeColor(Double(magnitude))
        case (.alert, .text(let level)): alertColor(String(decoding: level, as: UTF8.self))
        default: nil
        }
    }

    private static func magnitudeColor(_ magnitude: Double) -> StaticString? {
        switch magnitude {
        case 7...: "1;31"
        case 6...: "31"
        case 5...: "35"
        case 4...: "1"
        default: nil
        }
    }

    private static func alertColor(_ level: String) -> StaticString? {
        switch level {
        case "green": "32"
        case "yellow", "orange": "30;43"
        case "red": "1;31"
        default: nil
        }
    }
}

extension ByteWriter {
    /// Appends what `body` appends in `color`; nil is the default color.
    package func append(in color: StaticString?, _ body: () -> Void) {
        guard let color else { return body() }
        append(literal: "\u{1B}[")
        append(literal: color)
        append(byte: UInt8(ascii: "m"))
        body()
        append(literal: "\u{1B}[0m")
    }
}
