import ArgumentParser

/// A span of time as it is typed: a whole number and a unit, such as `90s`, `15m`, `2h`, `7d` or `3w`.
struct DurationArgument: Hashable, Sendable, ExpressibleByArgument {
    var duration: Duration

    /// A span of `duration`.
    init(_ duration: Duration) {
        self.duration = duration
    }

    init?(argument: String) {
        guard let unit = argument.last.flatMap({ Self.seconds(perUnit: $0) }) else { return nil }
        let digits = argument.dropLast()
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int64(digits) else { return nil }
        let (seconds, isTooLarge) = count.multipliedReportingOverflow(by: unit)
        guard !isTooLarge, seconds <= Self.longest else { return nil }
        duration = .seconds(seconds)
    }

    /// Reads `text`, or says what is wrong with it.
    static func parse(_ text: String) throws -> DurationArgument {
        guard let argument = DurationArgument(argument: text) else {
            throw ValidationError("A duration is a whole number and a unit: 90s, 15m, 2h, 7d or 3w.")
        }
        return argument
    }

    /// Ten thousand years, in seconds: more reaches back behind every moment that can be written.
    private static let longest: Int64 = 315_576_000_000

    private static func seconds(perUnit unit: Character) -> Int64? {
        switch unit {
        case "s": 1
        case "m": 60
        case "h": 3600
        case "d": 86_400
        case "w": 604_800
        default: nil
        }
    }
}
