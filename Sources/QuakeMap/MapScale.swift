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
        ColorClass(from: -.infinity, colors: Colors(light: "#ee0e00", dark: "#ffefb9"), terminalColor: 202),
        ColorClass(from: 10, colors: Colors(light: "#be2f00", dark: "#ffda36"), terminalColor: 167),
        ColorClass(from: 35, colors: Colors(light: "#a8253b", dark: "#fec38b"), terminalColor: 197),
        ColorClass(from: 70, colors: Colors(light: "#940b64", dark: "#ffaeb4"), terminalColor: 162),
        ColorClass(from: 150, colors: Colors(light: "#540f79", dark: "#fe91d5"), terminalColor: 128),
        ColorClass(from: 300, colors: Colors(light: "#041c6b", dark: "#c583fc"), terminalColor: 93),
        ColorClass(from: 500, colors: Colors(light: "#001127", dark: "#5f8ed6"), terminalColor: 25),
    ]

    /// The color for a depth of exactly 10 km, which usually is a default used when the depth is uncertain, as for two
    /// in five quakes of M 5.
    static let fixedDepth = ColorClass(
        from: 10, colors: Colors(light: "#086466", dark: "#50afa9"), terminalColor: 30)

    /// Expected intensities, by rounded level on the Modified Mercalli scale. Stronger shaking contrasts more with the
    /// background: darker on a light background, brighter on a dark one.
    static let intensities = [
        ColorClass(from: -.infinity, colors: Colors(light: "#4a6073", dark: "#988999"), terminalColor: 245),
        ColorClass(from: 1.5, colors: Colors(light: "#305387", dark: "#a68ae7"), terminalColor: 68),
        ColorClass(from: 3.5, colors: Colors(light: "#12515c", dark: "#86a8df"), terminalColor: 31),
        ColorClass(from: 4.5, colors: Colors(light: "#004b35", dark: "#18c5eb"), terminalColor: 28),
        ColorClass(from: 5.5, colors: Colors(light: "#2d3c01", dark: "#15dcd2"), terminalColor: 100),
        ColorClass(from: 6.5, colors: Colors(light: "#442403", dark: "#85f281"), terminalColor: 166),
        ColorClass(from: 7.5, colors: Colors(light: "#480a01", dark: "#d5fc56"), terminalColor: 160),
        ColorClass(from: 8.5, colors: Colors(light: "#380117", dark: "#fdf8e9"), terminalColor: 125),
    ]

    /// The class of quakes without a published depth, or without a magnitude to derive an intensity from.
    static let unknown = ColorClass(
        from: .nan, colors: Colors(light: "#56595c", dark: "#9da1a4"), terminalColor: 245)

    /// Maximum ages in hours. Newer quakes have stronger colors; old quakes are gray.
    static let ages: [(hours: Double?, label: String, colors: Colors)] = [
        (1, "< 1 hour", Colors(light: "#48003e", dark: "#fff3a0")),
        (24, "< 1 day", Colors(light: "#6a060e", dark: "#ffc25a")),
        (168, "< 1 week", Colors(light: "#20447d", dark: "#ff98b0")),
        (720, "< 1 month", Colors(light: "#0d5a51", dark: "#8894f6")),
        (nil, "older", Colors(light: "#585e64", dark: "#8a9096")),
    ]

    /// Magnitude types by their first letters.
    static let magnitudeTypes: [(start: String?, label: String, colors: Colors)] = [
        ("mw", "Mw", Colors(light: "#910224", dark: "#fd6d66")),
        ("mb", "mb", Colors(light: "#884a02", dark: "#ffca46")),
        ("ml", "ML", Colors(light: "#074085", dark: "#4996ff")),
        ("md", "Md", Colors(light: "#046617", dark: "#4adb6c")),
        ("ms", "Ms", Colors(light: "#7f13a1", dark: "#e798fd")),
        (nil, "other", Colors(light: "#56595c", dark: "#9da1a4")),
    ]

    /// The radius of a circle is `smallest · growth^magnitude` pixels: 1.9 at M 1, 5.6 at M 4, 16.7 at M 7, at most 26.
    static let radius = (smallest: 1.3, growth: 1.44)

    package static func radius(_ magnitude: Double?) -> Double {
        min(max(radius.smallest * pow(radius.growth, magnitude ?? 1), 1.3), 26)
    }

    /// Returns the factor that shrinks circles, because many quakes on a world map hide each other. Same as in map.js.
    package static func sizeFactor(quakes: Int, unitsPerDegree: Double) -> Double {
        let crowded = quakes > 10_000 ? 0.55 : quakes > 3000 ? 0.7 : quakes > 1000 ? 0.85 : 1
        return crowded + (1 - crowded) * nearness(unitsPerDegree)
    }

    /// The opacity at which each color class keeps a contrast of 3:1 with land and sea.
    static let usualOpacity = 0.72

    /// Returns the opacity of circles below magnitude 5. Larger circles have the usual opacity. Same as in map.js.
    package static func opacity(quakes: Int, unitsPerDegree: Double) -> Double {
        let crowded = quakes > 10_000 ? 0.55 : quakes > 3000 ? 0.65 : usualOpacity
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
