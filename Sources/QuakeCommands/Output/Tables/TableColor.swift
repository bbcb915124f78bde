import QuakeModel

/// The table colors, as SGR parameters that are legible on white and on black.
enum TableColor {
    static let header: StaticString = "1"

    /// Returns the color of a magnitude or alert level, by severity; nil for the terminal's default color.
    static func of(_ property: QuakeProperty?, _ value: FieldValue) -> StaticString? {
        switch (property, value) {
        case (.mag, _): value.number.flatMap(color(ofMagnitude:))
        case (.alert, .text(let level)): color(ofAlert: String(decoding: level, as: UTF8.self))
        default: nil
        }
    }

    static func color(ofMagnitude magnitude: Double) -> StaticString? {
        switch magnitude {
        case 7...: "1;31"
        case 6...: "31"
        case 5...: "35"
        case 4...: "1"
        default: nil
        }
    }

    private static func color(ofAlert level: String) -> StaticString? {
        switch level {
        case "green": "32"
        case "yellow", "orange": "30;43"
        case "red": "1;31"
        default: nil
        }
    }
}

extension ByteWriter {
    /// Appends the output of `body` in `color`; nil is the default color.
    package func append(in color: StaticString?, _ body: () -> Void) {
        guard let color else { return body() }
        append(literal: "\u{1B}[")
        append(literal: color)
        append(byte: UInt8(ascii: "m"))
        body()
        append(literal: "\u{1B}[0m")
    }
}
