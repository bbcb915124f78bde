import QuakeModel

/// The colors in tables, as SGR parameters (codes of terminal colors) that are legible on white and on black.
enum TableColor {
    static let header = "1"

    /// Returns the color of a magnitude or alert level, by severity; nil for the terminal's default color.
    static func of(_ property: QuakeProperty?, _ value: FieldValue) -> String? {
        switch property {
        case .mag?: value.number.flatMap(color(ofMagnitude:))
        case .alert?: value.text.flatMap { alerts[$0] }
        default: nil
        }
    }

    static func color(ofMagnitude magnitude: Double) -> String? {
        switch magnitude {
        case 7...: "1;31"
        case 6...: "31"
        case 5...: "35"
        case 4...: "1"
        default: nil
        }
    }

    private static let alerts = ["green": "32", "yellow": "30;43", "orange": "30;43", "red": "1;31"]
}
