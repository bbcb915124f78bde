import QuakeModel

/// Writes each quake as a block of lines, a field on each, where a table has no room; without missing values.
final class BlockRenderer: QuakeRenderer {
    private let fields: [QuakeField]
    private let places: PlaceReader
    let writer: ByteWriter
    private let style: OutputStyle
    private let lines: WrappedLines
    private var isFirst = true

    init(_ fields: [QuakeField], writer: ByteWriter, style: OutputStyle) {
        self.fields = fields
        places = PlaceReader(fields, shown: fields)
        (self.writer, self.style) = (writer, style)
        lines = WrappedLines(writer, columns: style.terminalColumns)
    }

    func row(_ field: (Int) -> FieldValue) throws(OutputError) {
        if !isFirst { writer.append("\n") }
        isFirst = false
        for (index, one) in fields.enumerated() {
            let value = field(index)
            let copy = places.place(at: index, field).map(QuakeValue.text) ?? QuakeValue(copying: value)
            guard copy != .null else { continue }
            let color = style.usesColor ? TableColor.of(one.property, value) : nil
            lines.append(label: one.name.padding(to: 10), copy.blockWords(of: one, style), color: color)
        }
        try writer.flushIfFull()
    }
}

extension QuakeValue {
    /// The value as a person writes it; moments without their age, because a list has many.
    fileprivate func blockWords(of field: QuakeField, _ style: OutputStyle) -> String {
        guard let property = field.property else {
            if case (.localTime, .integer(let time)) = (field, self) {
                return style.display.time.words(Timestamp(milliseconds: time))
            }
            let number = realValue ?? 0
            return switch field {
            case .bearing, .nearestCityBearing: "\(Int(number.rounded()) % 360)° \(CompassWord.of(degrees: number))"
            case .shaking: "expected here: \(ShakingLevel(nearestTo: number))"
            case .nearestCity, .region: TerminalText.sanitized(words(of: .place))
            default: style.display.unit.distance(number)
            }
        }
        guard style.usesEpochTime, property.kind == .time else {
            return spokenWords(of: property, now: nil, display: style.display)
        }
        return words(of: property, usesEpochTime: true)
    }
}
