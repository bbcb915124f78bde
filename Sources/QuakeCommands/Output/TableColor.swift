import QuakeModel

/// The colours of the table, as parameters of the terminal's SGR sequence.
enum TableColor {
    /// The header line.
    static let header: StaticString = "1"

    /// The colour of a value: magnitude and alert level stand out by how grave they are. Nil is the terminal's own.
    static func of(_ property: QuakeProperty, _ value: FieldValue) -> StaticString? {
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
        case 5...: "33"
        case 4...: "1"
        default: nil
        }
    }

    private static func alertColor(_ level: String) -> StaticString? {
        switch level {
        case "green": "32"
        case "yellow": "33"
        case "orange": "1;33"
        case "red": "1;31"
        default: nil
        }
    }
}

extension ByteWriter {
    /// Appends what `body` appends, in `color`; nil changes nothing.
    func append(in color: StaticString?, _ body: () -> Void) {
        guard let color else { return body() }
        append(literal: "\u{1B}[")
        append(literal: color)
        append(byte: UInt8(ascii: "m"))
        body()
        append(literal: "\u{1B}[0m")
    }
}
