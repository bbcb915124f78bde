import ArgumentParser
import QuakeModel

/// Options for lengths and times in human-readable output. Machine-readable formats always use kilometers and, except
/// for an additional local time, UTC.
struct DisplayOptions: ParsableArguments {
    @Option("--units <unit>", "Units in human-readable output [$QUAKES_UNITS] (default: km).") var unit: LengthUnit?

    @Option(
        "--tz <zone>",
        """
        Time zone for displayed times and for dates on the command line that don't specify one: local, UTC, a name \
        such as America/Denver, or an offset such as +09:00 [$QUAKES_TZ] (default: UTC).
        """, parsing: .unconditional, completion: .timeZone)
    var timeZone: String?

    /// Returns the style chosen by options, otherwise by environment variables.
    func style(in environment: CommandEnvironment, sites: [Site] = []) throws -> DisplayStyle {
        var style = DisplayStyle(
            unit: try unit(in: environment), timeZone: try .chosen(timeZone, in: environment), sites: sites)
        style.namesTimeZone = timeZone != nil
        return style
    }

    /// Returns a remark that `format` ignores `--units mi`; nil without that option.
    func unitRemark(for format: String) -> String? {
        unit == .mi ? "\(format) always uses kilometers; --units applies only to human-readable output" : nil
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
