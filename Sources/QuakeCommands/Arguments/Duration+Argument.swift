import ArgumentParser
import QuakeStore

extension Duration {
    /// Parses whole numbers with units, such as `90s`, `2d12h` or `3 weeks`; a year has 365 days.
    static func parse(_ text: String) throws -> Duration {
        guard let duration = Duration(argument: text) else {
            throw ValidationError(
                "A duration is a number with a unit, such as 90s, 15min, 2h, 7d, 3w or 1y, or several, such as 2d12h.")
        }
        return duration
    }

    init?(argument: String) {
        var seconds: Int64 = 0
        var rest = argument[...]
        repeat {
            let digits = rest.prefix { $0.isASCII && $0.isWholeNumber }
            rest = rest.dropFirst(digits.count).drop { $0 == " " }
            let unit = rest.prefix { $0.isASCII && $0.isLetter }
            rest = rest.dropFirst(unit.count).drop { $0 == " " }
            guard let count = Int64(digits), let length = Self.units[String(unit)] else { return nil }
            let (part, isTooLarge) = count.multipliedReportingOverflow(by: length)
            guard !isTooLarge, part <= Self.longest else { return nil }
            seconds += part
            guard seconds <= Self.longest else { return nil }
        } while !rest.isEmpty
        self = .seconds(seconds)
    }

    /// Parses a time of day: `10:00` or `22:15:30`.
    init?(timeOfDay text: Substring) {
        guard let moment = Timestamp(iso8601: "1970-01-01T\(text)Z"), (0..<86_400_000).contains(moment.milliseconds)
        else { return nil }
        self = .milliseconds(moment.milliseconds)
    }

    /// Ten thousand years in seconds, enough to reach every representable moment.
    private static let longest: Int64 = 315_576_000_000

    private static let units = Dictionary(
        uniqueKeysWithValues: [
            (1, ["s", "sec", "secs", "second", "seconds"]), (60, ["m", "min", "mins", "minute", "minutes"]),
            (3600, ["h", "hr", "hrs", "hour", "hours"]), (86_400, ["d", "day", "days"]),
            (2_592_000, ["mo", "month", "months"]),
            (604_800, ["w", "week", "weeks"]), (31_536_000, ["y", "year", "years"]),
        ].flatMap { seconds, names in names.map { ($0, Int64(seconds)) } })
}
