import ArgumentParser

/// The option for the time zone of dates that specify none, in commands that do not print quakes' times.
struct TimeZoneOption: ParsableArguments {
    @Option(
        "--tz <zone>",
        """
        Time zone for dates on the command line that don't specify one: local, UTC, a name such as America/Denver, or \
        an offset such as +09:00 [$QUAKES_TZ] (default: UTC).
        """, parsing: .unconditional, completion: .timeZone)
    var name: String?

    func zone(in environment: CommandEnvironment) throws -> DisplayTimeZone { try .chosen(name, in: environment) }
}
