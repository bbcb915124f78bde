import ArgumentParser

extension Duration {
    /// Parses numbers with units, such as `90s`, `1.5h`, `2d12h` or `3 weeks`. A month has 30 days, and a year has 365.
    static func parse(_ text: String) throws -> Duration {
        if let duration = try find(text) { return duration }
        if text.hasPrefix("-"), try find(text.dropFirst()) != nil {
            throw ValidationError("A duration cannot be negative.")
        }
        throw malformed
    }

    static var malformed: ValidationError {
        ValidationError("A duration is a number with a unit, such as 90s, 15min, 1.5h, 7d, 3w, 1y or 2d12h.")
    }

    /// Returns the duration, to the millisecond, or nil for other text. Throws a usage error for a decimal comma, the
    /// unit `M`, or more than 10,000 years.
    static func find(_ text: some StringProtocol) throws -> Duration? {
        var seconds = 0.0
        var rest = Substring(text)
        repeat {
            guard let part = rest.prefixMatch(of: /([0-9]{0,18}(?:[.,][0-9]{1,9})?) *([A-Za-z]+) */),
                let length = try length(of: part.output.2), let count = try FiniteNumber.find(part.output.1)
            else { return nil }
            seconds += count * length
            guard seconds <= maximumSeconds else { throw ValidationError("\(text) is longer than 10,000 years.") }
            rest = rest[part.range.upperBound...]
        } while !rest.isEmpty
        return .milliseconds(Int64((seconds * 1000).rounded()))
    }

    /// Returns the seconds in `unit`; nil if there is no such unit. Case does not matter, except that the ambiguous `M`
    /// throws a usage error.
    private static func length(of unit: Substring) throws -> Double? {
        guard unit != "M" else { throw ValidationError("M may mean minutes or months; write min or mo.") }
        return units[unit.lowercased()]
    }

    /// Ten thousand years in seconds, enough to reach every moment that a timestamp can represent.
    private static let maximumSeconds = 315_576_000_000.0

    private static let units = Dictionary(
        uniqueKeysWithValues: [
            (1.0, ["s", "sec", "secs", "second", "seconds"]), (60, ["m", "min", "mins", "minute", "minutes"]),
            (3600, ["h", "hr", "hrs", "hour", "hours"]), (86_400, ["d", "day", "days"]),
            (2_592_000, ["mo", "month", "months"]),
            (604_800, ["w", "week", "weeks"]), (31_536_000, ["y", "year", "years"]),
        ].flatMap { seconds, names in names.map { ($0, seconds) } })
}
