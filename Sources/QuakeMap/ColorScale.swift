import Glibc
import QuakeModel

/// The colors of the classes of one value, and their legend. ``MapColoring`` lists the scales.
struct ColorScale: Sendable {
    /// What the color of a quake shows.
    enum Source: Sendable {
        case property(QuakeProperty)
        /// Hours from the origin time to the time that the map shows.
        case age
        /// The estimated intensity at the nearest of ``MapContent/intensitySites``.
        case intensity
    }

    /// A range or kind of values that have the same color.
    struct Class: Hashable, Sendable {
        /// The values of a class. A value belongs to the last class that contains it, otherwise to the last class of
        /// the scale.
        enum Values: Hashable, Sendable {
            case from(Double)
            case exactly(Double)
            /// Strings that start with this one, ignoring case.
            case starting(String)
            case others
        }

        var values: Values
        /// The colors on light and dark backgrounds, as `#rrggbb`.
        var light: String
        var dark: String
        /// The color in a terminal's 256-color palette, readable on black and on white.
        var terminal: Int
        /// The name in the legend, with lengths in kilometers.
        var label: String
        /// The color of a circle's outline on a light background: ``light``, or a shade of it so dark that its contrast
        /// with land and sea is at least 3:1.
        let rim: String

        init(_ values: Values, _ light: String, _ dark: String, _ terminal: Int, _ label: String) {
            self.values = values
            self.light = light
            self.dark = dark
            self.terminal = terminal
            self.label = label
            rim = HexColor(light).darkened(toLuminance: 0.2).text
        }

        func contains(_ value: QuakeValue) -> Bool {
            switch values {
            case .from(let least): value.realValue.map { $0 >= least } ?? false
            case .exactly(let number): value.realValue == number
            case .starting(let start): value.textValue?.lowercased().hasPrefix(start) ?? false
            case .others: false
            }
        }
    }

    var source: Source
    var title: String
    /// Whether the labels are lengths, which a legend shows in the chosen unit.
    var isLength = false
    var classes: [Class]

    func colorClass(of value: QuakeValue) -> Class {
        classes.last { $0.contains(value) } ?? classes[classes.count - 1]
    }
}

/// A color in sRGB.
struct HexColor {
    /// Red, green and blue as linear light, 0 to 1.
    private var linear: [Double]

    /// Creates a color from `#rrggbb`.
    init(_ text: String) {
        let value = Int(text.dropFirst(), radix: 16) ?? 0
        linear = [16, 8, 0].map { shift in
            let part = Double(value >> shift & 255) / 255
            return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
        }
    }

    /// The relative luminance of WCAG 2.
    var luminance: Double { 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] }

    /// Returns this color, or a darker shade of the same hue.
    func darkened(toLuminance limit: Double) -> HexColor {
        var result = self
        result.linear = linear.map { $0 * min(limit / luminance, 1) }
        return result
    }

    var text: String {
        let parts = linear.map { part in
            let value = part <= 0.0031308 ? part * 12.92 : 1.055 * pow(part, 1 / 2.4) - 0.055
            let digits = String(Int((value * 255).rounded()), radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }
        return "#" + parts.joined()
    }
}
