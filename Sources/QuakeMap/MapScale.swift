import Glibc
import QuakeModel

/// How a map shows magnitude, depth, age and magnitude type: the same in a page, a picture and a terminal.
package enum MapScale {
    /// The colors of a class on light and on dark ground, as `#rrggbb`. Each differs from land and sea by a contrast
    /// of at least 3:1.
    struct Colors {
        var light: String
        var dark: String
    }

    /// A class of depths or of intensities.
    struct ColorClass {
        /// From this many kilometers, or from this intensity on.
        var from: Double
        var colors: Colors
        /// The one of the 256 colors of a terminal that can be read on black and on white.
        var terminalColor: Int
    }

    /// Shallow quakes are warm and bright, deep ones cold and dark: so they keep their order for color-blind readers
    /// and on a print in gray. The limits are seismology's (shallow to 70 km, deep from 300 km on), with more steps
    /// near the surface, where most quakes are.
    static let depths = [
        ColorClass(from: -.infinity, colors: Colors(light: "#e05300", dark: "#ffec9e"), terminalColor: 202),
        ColorClass(from: 10, colors: Colors(light: "#cd3a35", dark: "#ffd388"), terminalColor: 167),
        ColorClass(from: 35, colors: Colors(light: "#a9305e", dark: "#ffb896"), terminalColor: 197),
        ColorClass(from: 70, colors: Colors(light: "#802a62", dark: "#f79aa4"), terminalColor: 162),
        ColorClass(from: 150, colors: Colors(light: "#542276", dark: "#cd8acd"), terminalColor: 128),
        ColorClass(from: 300, colors: Colors(light: "#301a6b", dark: "#9d79f6"), terminalColor: 93),
        ColorClass(from: 500, colors: Colors(light: "#0a1c45", dark: "#4f7cc4"), terminalColor: 25),
    ]

    /// Intensities to expect, by the level of the Modified Mercalli scale to which they round. The stronger, the
    /// further from the ground: darker against a light background, brighter on dark ground.
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

    /// The color of a quake whose depth was not published, or that has no magnitude to expect an intensity from.
    static let unknown = ColorClass(
        from: .nan, colors: Colors(light: "#73787d", dark: "#8f959b"), terminalColor: 245)

    /// Ages up to that many hours. The newer, the stronger; what is old is gray.
    static let ages: [(hours: Double?, label: String, colors: Colors)] = [
        (1, "hour", Colors(light: "#920021", dark: "#ffec7d")),
        (24, "day", Colors(light: "#a12e00", dark: "#fec96c")),
        (168, "week", Colors(light: "#8f5a00", dark: "#fe9f5b")),
        (720, "month", Colors(light: "#7e734a", dark: "#b69174")),
        (nil, "older", Colors(light: "#7c8288", dark: "#797f86")),
    ]

    /// Magnitude types by the letters they begin with.
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

    /// What circles are shrunk by: many quakes on a map of the world hide each other. map.js has the same.
    package static func sizeFactor(quakes: Int, unitsPerDegree: Double) -> Double {
        let crowded = quakes > 10_000 ? 0.55 : quakes > 3000 ? 0.7 : quakes > 1000 ? 0.85 : 1
        return crowded + (1 - crowded) * nearness(unitsPerDegree)
    }

    /// So opaque that each class of color keeps a contrast of 3:1 to land and sea.
    static let usualOpacity = 0.97

    /// How opaque circles below magnitude 5 are; larger ones always have the usual opacity. map.js has the same.
    package static func opacity(quakes: Int, unitsPerDegree: Double) -> Double {
        let crowded = quakes > 10_000 ? 0.6 : quakes > 3000 ? 0.75 : usualOpacity
        return crowded + (usualOpacity - crowded) * nearness(unitsPerDegree)
    }

    /// From 0 on a map of the world to 1 on one of a country.
    private static func nearness(_ unitsPerDegree: Double) -> Double {
        min(max(log2(unitsPerDegree / 3) / log2(40.0 / 3), 0), 1)
    }

    /// The symbols of a terminal: from this magnitude on, in Unicode and in ASCII.
    static let symbols: [(from: Double, unicode: Character, ascii: Character)] = [
        (-.infinity, "·", "x"), (2.5, "•", "+"), (4.5, "○", "o"), (6, "●", "O"), (7, "◆", "@"),
    ]

    static func symbol(_ magnitude: Double?, unicode: Bool) -> Character {
        let symbol = symbols.last { (magnitude ?? 0) >= $0.from } ?? symbols[0]
        return unicode ? symbol.unicode : symbol.ascii
    }
}
