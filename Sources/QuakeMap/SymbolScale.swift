import Glibc
import QuakeModel

/// The symbols of quakes by magnitude: the sizes and opacities of circles, and the characters in a terminal.
package enum SymbolScale {
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

    /// How circles are drawn by minimum magnitude: the opacity of the inside, and the width of the outline. Small
    /// quakes recede, because they are mostly outline. The largest quakes are drawn above all others, so they are more
    /// transparent than the band before.
    static let bands: [(from: Double, fill: Double, rim: Double)] = [
        (-.infinity, 0.3, 1.5), (2.5, 0.5, 1.5), (4.5, 0.9, 1.5), (6, 0.4, 2.5),
    ]
    /// The first band of large quakes, whose circles never recede.
    static let firstLargeBand = 2

    /// Returns the index in ``bands`` for a magnitude.
    static func band(_ magnitude: Double?) -> Int { bands.lastIndex { (magnitude ?? 0) >= $0.from } ?? 0 }

    /// Returns the opacity of whole circles below magnitude 4.5, which recede further on a crowded map of the world.
    /// Same as in map.js.
    package static func opacity(quakes: Int, unitsPerDegree: Double) -> Double {
        let crowded = quakes > 50_000 ? 0.12 : quakes > 10_000 ? 0.3 : quakes > 3000 ? 0.6 : 1
        return crowded + (1 - crowded) * nearness(unitsPerDegree)
    }

    /// Returns a value from 0 for a world map to 1 for a map of a county.
    private static func nearness(_ unitsPerDegree: Double) -> Double {
        min(max(log2(unitsPerDegree / 3) / log2(150.0 / 3), 0), 1)
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
