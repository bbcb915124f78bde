import QuakeModel

/// The point from which distances and bearings are measured: the place of `--near`, otherwise home.
struct ReferencePoint: Hashable, Sendable {
    enum Origin: Hashable, Sendable {
        case near, home
        /// Home from `QUAKES_HOME`, which does not affect output for scripts.
        case variable
    }

    let point: GeographicPoint
    let origin: Origin
    /// The name of the city or quake, if the point was given by name.
    var city: String?

    var isOnCommandLine: Bool { origin != .variable }

    /// Whether the point was given by the name of a city or quake.
    var isNamed: Bool { city != nil }

    /// The name to put after "42 km NNW of".
    var name: String {
        let degrees = [point.latitude, point.longitude].map { PlainNumber.text($0, decimals: 4) }
        return city ?? (origin == .near ? degrees.joined(separator: ",") : "home")
    }

    /// Returns the distance to `other` in kilometers, rounded to meters.
    func distance(to other: GeographicPoint) -> Double {
        (point.distanceKilometers(to: other) * 1000).rounded() / 1000
    }

    /// Returns the direction of `other` in degrees clockwise from north, rounded to a tenth; nil if there is none.
    func bearing(to other: GeographicPoint) -> Double? {
        point.bearingDegrees(to: other).map { degrees in
            let rounded = (degrees * 10).rounded() / 10
            return rounded < 360 ? rounded : 0
        }
    }

    /// Returns the intensity expected at this point from `quake`, rounded to a thousandth; nil without a magnitude.
    func shaking(by quake: Quake) -> Double? {
        quake.expectedIntensity(at: point).map { ($0.value * 1000).rounded() / 1000 }
    }

    /// Returns the distance to `other` and its direction: `42 km NNW`.
    func words(to other: GeographicPoint, _ unit: LengthUnit) -> String {
        let direction = bearing(to: other).map { " " + CompassWord.of(degrees: $0) } ?? ""
        return unit.distance(distance(to: other)) + direction
    }
}

enum CompassWord {
    private static let words = [
        "N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW",
    ]

    /// Returns the compass direction nearest to `degrees`, which are clockwise from north.
    static func of(degrees: Double) -> String {
        guard degrees.isFinite else { return "" }
        let turned = degrees.truncatingRemainder(dividingBy: 360)
        return words[Int(((turned < 0 ? turned + 360 : turned) / 22.5).rounded()) % words.count]
    }
}
