import Glibc
import QuakeModel

/// How a map shows magnitude and depth.
enum MapScale {
    /// A class of depths and its colours: viridis, which colour-blind readers can tell apart and which also rises
    /// evenly in brightness, so that it survives a print in grey.
    struct DepthClass {
        /// From this many kilometres on.
        var from: Double
        /// As `#rrggbb`.
        var color: String
        /// The nearest of the 256 colours of a terminal.
        var terminalColor: Int
    }

    /// Shallow quakes are bright, deep ones dark. The limits are seismology's (shallow to 70 km, deep from 300 km on),
    /// with more steps near the surface, where most quakes are.
    static let depths = [
        DepthClass(from: -.infinity, color: "#fde725", terminalColor: 220),
        DepthClass(from: 10, color: "#90d743", terminalColor: 113),
        DepthClass(from: 35, color: "#35b779", terminalColor: 35),
        DepthClass(from: 70, color: "#21918c", terminalColor: 30),
        DepthClass(from: 150, color: "#31688e", terminalColor: 25),
        DepthClass(from: 300, color: "#443983", terminalColor: 61),
        DepthClass(from: 500, color: "#440154", terminalColor: 90),
    ]

    /// The colour of a quake whose depth was not published.
    static let unknownDepth = DepthClass(from: .nan, color: "#9a9a9a", terminalColor: 246)

    static func depthClass(_ kilometers: Double?) -> DepthClass {
        guard let kilometers else { return unknownDepth }
        return depths.last { kilometers >= $0.from } ?? depths[0]
    }

    /// What a legend calls the depth classes, in kilometres: `<10`, `10–35`, … `≥500`.
    static func depthLabels(dash: String, atLeast: String) -> [String] {
        depths.indices.map { index in
            let from = Int(depths[index].from.isFinite ? depths[index].from : 0)
            guard index + 1 < depths.count else { return "\(atLeast)\(from)" }
            let to = Int(depths[index + 1].from)
            return index == 0 ? "<\(to)" : "\(from)\(dash)\(to)"
        }
    }

    /// The radius of a circle is `smallest · growth^magnitude` pixels: 1.9 at M 1, 5.6 at M 4, 16.7 at M 7.
    static let radius = (smallest: 1.3, growth: 1.44)

    /// The radius of a quake's circle in pixels.
    static func radius(_ magnitude: Double?) -> Double {
        min(max(radius.smallest * pow(radius.growth, magnitude ?? 1), 1.3), 60)
    }

    /// The symbols of a terminal: from this magnitude on, in Unicode and in ASCII.
    static let symbols: [(from: Double, unicode: Character, ascii: Character)] = [
        (-.infinity, "·", "."), (2.5, "•", "+"), (4.5, "○", "o"), (6, "●", "O"), (7, "◆", "@"),
    ]

    static func symbol(_ magnitude: Double?, unicode: Bool) -> Character {
        let symbol = symbols.last { (magnitude ?? 0) >= $0.from } ?? symbols[0]
        return unicode ? symbol.unicode : symbol.ascii
    }
}
