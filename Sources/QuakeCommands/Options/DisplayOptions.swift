import ArgumentParser
import QuakeModel

/// Options for lengths and times in text for people. Machine formats always use kilometers and UTC.
struct DisplayOptions: ParsableArguments {
    @Option("--units <unit>", "Units in human-readable output [$QUAKES_UNITS].") var unit: LengthUnit?

    @Option(
        "--tz <zone>",
        """
        Time zone for displayed times, for local_time, and for command-line dates that don't specify one: local, UTC, \
        a name such as America/Denver, or an offset such as +09:00 [$QUAKES_TZ] (default: UTC).
        """, parsing: .unconditional, completion: .timeZone)
    var timeZone: String?

    /// Returns the style chosen on the command line, otherwise in the environment.
    func style(in environment: CommandEnvironment, sites: [Site] = []) throws -> DisplayStyle {
        var style = DisplayStyle(
            unit: try unit(in: environment), time: try .chosen(timeZone, in: environment), sites: sites)
        style.namesTimeZone = timeZone != nil
        return style
    }

    private func unit(in environment: CommandEnvironment) throws -> LengthUnit {
        if let unit { return unit }
        guard let text = environment.variable("QUAKES_UNITS") else { return .km }
        guard let unit = LengthUnit(argument: text) else {
            throw ValidationError("$QUAKES_UNITS is \"\(TerminalText.sanitized(text))\". It must be km or mi.")
        }
        return unit
    }
}

extension LocalTime {
    /// Returns the zone `name` from the command line, otherwise the one in `$QUAKES_TZ`, otherwise UTC.
    fileprivate static func chosen(_ name: String?, in environment: CommandEnvironment) throws -> LocalTime {
        let database = TimeZoneDatabase(environment)
        if let name { return try database.localTime(name) }
        return try environment.variable("QUAKES_TZ").map { try database.localTime($0, origin: "$QUAKES_TZ: ") } ?? .utc
    }
}

/// The option for the time zone of dates that specify none, in commands that do not show quakes' times.
struct TimeZoneOption: ParsableArguments {
    @Option(
        "--tz <zone>",
        """
        Time zone for command-line dates that don't specify one, and for the output of summary: local, UTC, a name \
        such as America/Denver, or an offset such as +09:00 [$QUAKES_TZ] (default: UTC).
        """, parsing: .unconditional, completion: .timeZone)
    var name: String?

    func zone(in environment: CommandEnvironment) throws -> LocalTime { try .chosen(name, in: environment) }
}

/// A length on the command line: `20`, `20km` or `12mi`.
enum LengthArgument {
    /// Returns the length in kilometers. Throws a usage error if `text` is not a length or is negative.
    static func parse(_ text: String) throws -> Double {
        let unit = LengthUnit.allCases.first { text.lowercased().hasSuffix($0.rawValue) }
        let number = text.dropLast(unit?.rawValue.count ?? 0).trimmingSpaces
        guard let amount = try? FiniteNumber.parse(number) else {
            throw ValidationError("A length is a number with km or mi, such as 20km or 12mi; a bare number is in km.")
        }
        guard amount >= 0 else { throw ValidationError("A length cannot be negative.") }
        return amount * (unit ?? .km).kilometers
    }
}
