import QuakeModel

/// A point from which distances and bearings are measured: a place of `--near`, otherwise home.
struct Site: Hashable, Sendable {
    enum Origin: Hashable, Sendable {
        case near, home
        /// Home from `QUAKES_HOME`, which does not affect output for scripts.
        case variable
    }

    let point: GeographicPoint
    let origin: Origin
    /// The name of the city or quake, if the point was given by name.
    var city: String?
    /// The coordinates as they were typed, which name the site in output; nil for other sites.
    var coordinates: String?

    var isOnCommandLine: Bool { origin != .variable }

    /// Whether the point was given by the name of a city or quake.
    var isNamed: Bool { city != nil }

    /// The name to put after "42 km NNW of".
    var name: String {
        if let city { return city }
        guard origin == .near else { return "home" }
        return coordinates
            ?? [point.latitude, point.longitude].map { PlainNumber.text($0, decimals: 4) }
            .joined(separator: ",")
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

    /// Returns the estimated intensity of `quake` at this point, rounded to a thousandth; nil without a magnitude.
    func intensity(of quake: Quake) -> Double? {
        quake.estimatedIntensity(at: point).map { ($0.value * 1000).rounded() / 1000 }
    }

    /// Returns the distance to `other` and its direction: `42 km NNW`.
    func words(to other: GeographicPoint, _ unit: LengthUnit) -> String {
        let direction = bearing(to: other).map { " " + CompassWord.of(degrees: $0) } ?? ""
        return unit.distance(distance(to: other)) + direction
    }
}

extension [Site] {
    /// Returns the site nearest to `point`, and so the one that a quake there shakes most; of equally near sites, the
    /// first. Nil without sites.
    func nearest(to point: GeographicPoint) -> Site? {
        guard count > 1 else { return first }
        return self.min { $0.point.distanceKilometers(to: point) < $1.point.distanceKilometers(to: point) }
    }

    /// The names of up to three sites, otherwise their number: `Tokyo, Osaka or Kobe`, `12 sites`.
    var names: String {
        guard let last, count > 1 else { return first?.name ?? "" }
        return count > 3
            ? "\(count.grouped) sites" : dropLast().map(\.name).joined(separator: ", ") + " or \(last.name)"
    }
}
