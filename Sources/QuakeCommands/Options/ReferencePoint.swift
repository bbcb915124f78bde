import ArgumentParser
import QuakeModel

/// The point from which distances and bearings are measured: that of `--near`, else home.
struct ReferencePoint: Hashable, Sendable {
    /// Where it was named.
    enum Origin: Hashable, Sendable {
        case near, home
        /// In `QUAKES_HOME`. It does not change what scripts read.
        case variable
    }

    let point: GeographicPoint
    let origin: Origin

    /// Whether it was named on the command line.
    var isOnCommandLine: Bool { origin != .variable }

    /// What people read after "42 km NNW of".
    var name: String {
        switch origin {
        case .near: "\(PlainNumber.text(point.latitude, decimals: 4)),\(PlainNumber.text(point.longitude, decimals: 4))"
        case .home, .variable: "home"
        }
    }

    /// Kilometres to `other`, to the metre.
    func distance(to other: GeographicPoint) -> Double {
        (point.distanceKilometers(to: other) * 1000).rounded() / 1000
    }

    /// Degrees clockwise from north to `other`, to a tenth; nil where there is no direction.
    func bearing(to other: GeographicPoint) -> Double? {
        point.bearingDegrees(to: other).map { degrees in
            let rounded = (degrees * 10).rounded() / 10
            return rounded < 360 ? rounded : 0
        }
    }

    /// The way to `other` in words: `42 km NNW`.
    func words(to other: GeographicPoint, _ unit: LengthUnit) -> String {
        let direction = bearing(to: other).map { " " + CompassWord.of(degrees: $0) } ?? ""
        return unit.distance(distance(to: other)) + direction
    }
}

/// The sixteen directions of a compass.
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

/// The place that distances are measured from when `--near` names no other.
struct HomeOption: ParsableArguments {
    @Option(
        name: .customLong("home"), parsing: .unconditional,
        help: ArgumentHelp(
            "The point from which distance and bearing are measured; else $QUAKES_HOME.",
            valueName: "LAT,LON"),
        transform: GeographicPoint.parse)
    var home: GeographicPoint?

    /// `near`, else `--home`, else `$QUAKES_HOME`; nil without any.
    func reference(near: GeographicPoint? = nil, in environment: CommandEnvironment) throws -> ReferencePoint? {
        if let near { return ReferencePoint(point: near, origin: .near) }
        if let home { return ReferencePoint(point: home, origin: .home) }
        guard let text = environment.variable("QUAKES_HOME") else { return nil }
        do {
            return ReferencePoint(point: try GeographicPoint.parse(text), origin: .variable)
        } catch let error as ValidationError {
            throw ValidationError("$QUAKES_HOME is \"\(TerminalText.sanitized(text))\". \(error.message)")
        }
    }

    /// Refuses `field`, which needs a reference point.
    static func missing(for field: String) -> ValidationError {
        ValidationError("\(field) needs a point to measure from: --near LAT,LON, --home LAT,LON or $QUAKES_HOME.")
    }
}
