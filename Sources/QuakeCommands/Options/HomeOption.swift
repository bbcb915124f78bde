import ArgumentParser
import QuakeModel

/// The option for the reference point to use without `--near`.
struct HomeOption: ParsableArguments {
    @Option(
        "--home <place>",
        "Your place, for estimated intensity and any distances shown: a city or LAT,LON [$QUAKES_HOME].",
        parsing: .unconditional, completion: .place, transform: PlaceArgument.parse)
    var home: PlaceArgument?

    /// Returns the places `near`, otherwise `--home`, otherwise `$QUAKES_HOME`; empty without these. Reports which city
    /// or quake is meant by each name: for `$QUAKES_HOME`, only with `--verbose`.
    func sites(
        near: [PlaceArgument] = [], in environment: CommandEnvironment, _ global: GlobalOptions
    ) throws -> [Site] {
        let places = near.isEmpty ? [home].compactMap(\.self) : near
        guard places.isEmpty else {
            let remarks = places.compactMap(\.remark)
            if !remarks.isEmpty {
                let option = near.isEmpty ? "--home" : "--near"
                global.remark("\(option) is \(remarks.joined(separator: "; "))", in: environment)
            }
            return places.map { Site($0, near.isEmpty ? .home : .near) }
        }
        guard let text = environment.variable("QUAKES_HOME") else { return [] }
        do {
            let place = try PlaceArgument.parse(text)
            if let remark = place.remark { global.remarkIfVerbose("$QUAKES_HOME is \(remark)", in: environment) }
            return [Site(point: place.point, origin: .variable)]
        } catch let error as ValidationError {
            throw ValidationError("$QUAKES_HOME is \"\(TerminalText.sanitized(text))\". \(error.message)")
        }
    }

    /// Returns the error for an option that needs a place; `isPrivate` is false for maps that may be published, which
    /// do not use `$QUAKES_HOME`.
    static func missing(for option: String, isPrivate: Bool = true) -> ValidationError {
        let ways = isPrivate ? "--near PLACE, --home PLACE or $QUAKES_HOME" : "--near PLACE or --home PLACE"
        return ValidationError("\(option) needs a reference point: \(ways).")
    }
}
