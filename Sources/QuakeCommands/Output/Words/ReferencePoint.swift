package import QuakeModel

/// The point from which distances and bearings are measured: that of `--near`, otherwise home.
package struct ReferencePoint: Hashable, Sendable {
    package enum Origin: Hashable, Sendable {
        case near, home
        /// In `QUAKES_HOME`. It does not change what scripts read.
        case variable
    }

    package let point: GeographicPoint
    package let origin: Origin
    private let city: String?

    /// `point`, which was named at `origin`; `city` is the name of the city or quake there, if it was named by that.
    package init(point: GeographicPoint, origin: Origin, city: String? = nil) {
        (self.point, self.origin, self.city) = (point, origin, city)
    }

    var isOnCommandLine: Bool { origin != .variable }

    /// Whether it was named by a city or a quake.
    package var isNamed: Bool { city != nil }

    /// What people read after "42 km NNW of".
    package var name: String {
        if let city { return city }
        return switch origin {
        case .near: "\(PlainNumber.text(point.latitude, decimals: 4)),\(PlainNumber.text(point.longitude, decimals: 4))"
        case .home, .variable: "home"
        }
    }

    /// Kilometers to `other`, to the meter.
    package func distance(to other: GeographicPoint) -> Double {
        (point.distanceKilometers(to: other) * 1000).rounded() / 1000
    }

    /// Degrees clockwise from north to `other`, to a tenth; nil if there is no direction.
    package func bearing(to other: GeographicPoint) -> Double? {
        point.bearingDegrees(to: other).map { degrees in
            let rounded = (degrees * 10).rounded() / 10
            return rounded < 360 ? rounded : 0
        }
    }

    /// The intensity to expect here, to a thousandth; nil without a magnitude.
    package func shaking(magnitude: Double?, epicenter: GeographicPoint, depthKilometers: Double?) -> Double? {
        ExpectedIntensity(magnitude: magnitude, epicenter: epicenter, depthKilometers: depthKilometers, at: point)
            .map { ($0.value * 1000).rounded() / 1000 }
    }

    /// The intensity of `quake` to expect here, to a thousandth; nil without a magnitude.
    package func shaking(by quake: Quake) -> Double? {
        shaking(
            magnitude: quake.magnitude, epicenter: quake.epicenter, depthKilometers: quake.hypocenter.depthKilometers)
    }

    /// The way to `other` in words: `42 km NNW`.
    package func words(to other: GeographicPoint, _ unit: LengthUnit) -> String {
        let direction = bearing(to: other).map { " " + CompassWord.of(degrees: $0) } ?? ""
        return unit.distance(distance(to: other)) + direction
    }
}

enum CompassWord {
    private static let words = [
        "N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW",
    ]

    /// The direction nearest to `degrees`, which are clockwise from north.
    static func of(degrees: Double) -> String {
        guard degrees.isFinite else { return "" }
        let turned = degrees.truncatingRemainder(dividingBy: 360)
        return words[Int(((turned < 0 ? turned + 360 : turned) / 22.5).rounded()) % words.count]
    }
}
