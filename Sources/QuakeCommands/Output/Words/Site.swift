import QuakeModel

/// A point from which distances and bearings are measured: a place of `--near`, otherwise home.
struct Site: Hashable, Sendable {
    enum Origin: Hashable, Sendable {
        case near, home
        /// Home from `$QUAKES_HOME`, which does not affect machine-readable formats.
        case variable
    }

    let point: GeographicPoint
    let origin: Origin
    /// The name of the city or the id of the quake; nil for other points.
    var city: String?
    /// The coordinates as they were typed, which are the name of the site in output; nil for other points.
    var coordinates: String?

    var isOnCommandLine: Bool { origin != .variable }

    /// Whether the point is a city or quake.
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

    /// Returns the bearing of `other` in degrees clockwise from north, rounded to a tenth; nil if there is none.
    func bearing(to other: GeographicPoint) -> Double? {
        point.bearingDegrees(to: other).map { degrees in
            let rounded = (degrees * 10).rounded() / 10
            return rounded < 360 ? rounded : 0
        }
    }

    /// Returns the estimated intensity of `quake` here, rounded to a thousandth; nil if it has no magnitude.
    func intensity(of quake: Quake) -> Double? {
        quake.estimatedIntensity(at: point).map { ($0.value * 1000).rounded() / 1000 }
    }

    /// Returns the distance and direction of `other`: `42 km NNW`.
    func words(to other: GeographicPoint, _ unit: LengthUnit) -> String {
        let direction = bearing(to: other).map { " " + CompassWord.of(degrees: $0) } ?? ""
        return unit.distanceText(distance(to: other)) + direction
    }
}

extension [Site] {
    /// Returns the site nearest to `point`, where a quake at `point` is felt most; of equally near sites, the first.
    /// Nil if there are no sites.
    func nearest(to point: GeographicPoint) -> Site? {
        guard count > 1 else { return first }
        return self.min { $0.point.distanceKilometers(to: point) < $1.point.distanceKilometers(to: point) }
    }

    /// The names of up to three sites, such as `Tokyo, Osaka or Kobe`; for more, their number: `12 sites`.
    var names: String {
        guard let last, count > 1 else { return first?.name ?? "" }
        return count > 3
            ? "\(count.grouped) sites" : dropLast().map(\.name).joined(separator: ", ") + " or \(last.name)"
    }

    /// Returns the words for a filter with the names of these sites in place of their coordinates.
    func naming(_ words: String) -> String {
        reduce(words) { words, site in
            ["at", "of", "or"].reduce(words) { words, word in
                words.replacing("\(word) \(site.point.filterWords)", with: "\(word) \(site.name)")
            }
        }
    }
}
