import ArgumentParser
import QuakeModel

/// The option for the reference point used if there is no `--near`.
struct HomeOption: ParsableArguments {
    @Option(
        "--home <place>",
        "Reference point for distance, bearing and shaking if there is no --near: a city or LAT,LON [$QUAKES_HOME].",
        parsing: .unconditional, completion: .place, transform: PlaceArgument.parse)
    var home: PlaceArgument?

    /// Returns `near`, otherwise `--home`, otherwise `$QUAKES_HOME`, if any. Reports the city that an option refers to.
    func reference(
        near: PlaceArgument? = nil, in environment: CommandEnvironment, _ global: GlobalOptions
    ) throws -> ReferencePoint? {
        if let place = near ?? home {
            global.remark(place.remark, in: environment)
            return ReferencePoint(point: place.point, origin: near == nil ? .home : .near, city: place.name)
        }
        guard let text = environment.variable("QUAKES_HOME") else { return nil }
        do {
            let place = try PlaceArgument.parse(text)
            if let remark = place.remark { global.tell("$QUAKES_HOME is \(remark)", in: environment) }
            return ReferencePoint(point: place.point, origin: .variable)
        } catch let error as ValidationError {
            throw ValidationError("$QUAKES_HOME is \"\(TerminalText.sanitized(text))\". \(error.message)")
        }
    }

    static func missing(for field: String) -> ValidationError {
        ValidationError("\(field) needs a reference point: --near PLACE, --home PLACE or $QUAKES_HOME.")
    }
}
