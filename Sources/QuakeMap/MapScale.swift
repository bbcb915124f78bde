import Glibc
import QuakeModel

/// The scales for magnitude, depth, age and magnitude type, shared by pages, pictures and terminals.
package enum MapScale {
    /// The colors of a class on light and dark backgrounds, as `#rrggbb`. Their contrast with land and sea is at least
    /// 3:1.
    struct Colors {
        var light: String
        var dark: String
    }

    /// A class of depths or intensities.
    struct ColorClass {
        /// The smallest depth in kilometers, or the smallest intensity.
        var from: Double
        var colors: Colors
        /// The color in a terminal's 256-color palette, readable on black and on white.
        var terminalColor: Int
    }

    /// Shallow quakes have warm and bright colors, deep quakes cold and dark ones, so that the order is visible to
    /// color-blind readers and in grayscale. The limits are those of seismology (shallow up to 70 km, deep from 300
    /// km), with more steps near the surface, where most quakes are.
    static let depths = [
        ColorClass(from: -.infinity, colors: Colors(light: "#e05300", dark: "#ffec9e"), terminalColor: 202),
        ColorClass(from: 10, colors: Colors(light: "#cd3a35", dark: "#ffd388"), terminalColor: 167),
        ColorClass(from: 35, colors: Colors(light: "#a9305e", dark: "#ffb896"), terminalColor: 197),
        ColorClass(from: 70, colors: Colors(light: "#802a62", dark: "#f79aa4"), terminalColor: 162),
        ColorClass(from: 150, colors: Colors(light: "#542276", dark: "#cd8acd"), terminalColor: 128),
        ColorClass(from: 300, colors: Colors(light: "#301a6b", dark: "#9d79f6"), terminalColor: 93),
        ColorClass(from: 500, colors: Colors(light: "#0a1c45", dark: "#4f7cc4"), terminalColor: 25),
    ]

    /// Expected intensities, by rounded level on the Modified Mercalli scale. Stronger shaking contrasts more with the
    /// background: darker on a light background, brighter on a dark one.
    static let intensities = [
        ColorClass(from: -.infinity, colors: Colors(light: "#8880a1", dark: "#906f81"), terminalColor: 245),
        ColorClass(from: 1.5, colors: Colors(light: "#5d77a7", dark: "#9575cb"), terminalColor: 68),
        ColorClass(from: 3.5, colors: Colors(light: "#0b7290", dark: "#768fe5"), terminalColor: 31),
        ColorClass(from: 4.5, colors: Colors(light: "#066a41", dark: "#48ade1"), terminalColor: 28),
        ColorClass(from: 5.5, colors: Colors(light: "#594e01", dark: "#13c9c9"), terminalColor: 100),
        ColorClass(from: 6.5, colors: Colors(light: "#623200", dark: "#3ee276"), terminalColor: 166),
        ColorClass(from: 7.5, colors: Colors(light: "#670001", dark: "#e2e317"), terminalColor: 160),
        ColorClass(from: 8.5, colors: Colors(light: "#3e010f", dark: "#fff1bb"), terminalColor: 125),
    ]

    /// The class of quakes without a published depth, or without a magnitude to derive an intensity from.
    static let unknown = ColorClass(
        from: .nan, colors: Colors(light: "#73787d", dark: "#8f959b"), terminalColor: 245)

    /// Maximum ages in hours. Newer quakes have stronger colors; old quakes are gray.
    static let ages: [(hours: Double?, label: String, colors: Colors)] = [
        (1, "hour", Colors(light: "#920021", dark: "#ffec7d")),
        (24, "day", Colors(light: "#a12e00", dark: "#fec96c")),
        (168, "week", Colors(light: "#8f5a00", dark: "#fe9f5b")),
        (720, "month", Colors(light: "#7e734a", dark: "#b69174")),
        (nil, "older", Colors(light: "#7c8288", dark: "#797f86")),
    ]

    /// Magnitude types by their first letters.
    static let magnitudeTypes: [(start: String?, label: String, colors: Colors)] = [
        ("mw", "Mw", Colors(light: "#8e0013", dark: "#fe6762")),
        ("mb", "mb", Colors(light: "#b55c00", dark: "#ffce60")),
        ("ml", "ML", Colors(light: "#002387", dark: "#4181fe")),
        ("md", "Md", Colors(light: "#03761e", dark: "#07df40")),
        ("ms", "Ms", Colors(light: "#9200ab", dark: "#e784fe")),
        (nil, "other", Colors(light: "#73787d", dark: "#8f959b")),
    ]

    /// The radius of a circle is `smallest · growth^magnitude` pixels: 1.9 at M 1, 5.6 at M 4, 16.7 at M 7.
    static let radius = (smallest: 1.3, growth: 1.44)

    package static func radius(_ magnitude: Double?) -> Double {
        min(max(radius.smallest * pow(radius.growth, magnitude ?? 1), 1.3), 60)
    }

    /// Returns the factor that shrinks circles, because many quakes on a world map hide each other. Same as in map.js.
    package static func sizeFactor(quakes: Int, unitsPerDegree: Double) -> Double {
        let crowded = quakes > 10_000 ? 0.55 : quakes > 3000 ? 0.7 : quakes > 1000 ? 0.85 : 1
        return crowded + (1 - crowded) * nearness(unitsPerDegree)
    }

    /// The opacity at which each color class keeps a contrast of 3:1 with land and sea.
    static let usualOpacity = 0.97

    /// Returns the opacity of circles below magnitude 5. Larger circles have the usual opacity. Same as in map.js.
    package static func opacity(quakes: Int, unitsPerDegree: Double) -> Double {
        let crowded = quakes > 10_000 ? 0.6 : quakes > 3000 ? 0.75 : usualOpacity
        return crowded + (usualOpacity - crowded) * nearness(unitsPerDegree)
    }

    /// Returns a value from 0 for a world map to 1 for a map of a country.
    private static func nearness(_ unitsPerDegree: Double) -> Double {
        min(max(log2(unitsPerDegree / 3) / log2(40.0 / 3), 0), 1)
    }

    /// The symbols in a terminal by minimum magnitude, in Unicode and ASCII.
    static let symbols: [(from: Double, unicode: Character, ascii: Character)] = [
        (-.infinity, "·", "x"), (2.5, "•", "+"), (4.5, "○", "o"), (6, "●", "O"), (7, "◆", "@"),
    ]

    static func symbol(_ magnitude: Double?, unicode: Bool) -> Character {
        let symbol = symbols.last { (magnitude ?? 0) >= $0.from } ?? symbols[0]
        return unicode ? symbol.unicode : symbol.ascii
    }
}
