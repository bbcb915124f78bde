import ArgumentParser
import QuakeModel
import QuakeOutput

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
