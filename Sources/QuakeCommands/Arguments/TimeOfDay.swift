import ArgumentParser

/// A time of day on the command line: `8:00`, `22:15:30.5`, `221530`, or `24:00` for the end of the day.
enum TimeOfDay {
    /// Returns the time since the day began, or nil for other text. Throws a usage error if there is no such time.
    ///
    /// Second 60, a leap second, is the start of the next minute.
    static func find(_ text: some StringProtocol) throws -> Duration? {
        let form = /([0-9]{2}|[0-9](?=:))(?:(:?)([0-9]{2})(?:\2([0-9]{2})(?:[.,]([0-9]+))?)?)?/
        guard let match = Substring(text).wholeMatch(of: form)?.output else { return nil }
        let hour = try number(match.1, "hour", upTo: 24)
        let minute = try number(match.3, "minute", upTo: 59)
        let second = try number(match.4, "second", upTo: 60)
        let millisecond = second == 60 ? 0 : Int64(((match.5 ?? "") + "000").prefix(3)) ?? 0
        let time = ((hour * 60 + minute) * 60 + second) * 1000 + millisecond
        guard time <= 86_400_000 else { throw ValidationError("A day ends at 24:00.") }
        return .milliseconds(time)
    }

    private static func number(_ digits: Substring?, _ field: String, upTo last: Int64) throws -> Int64 {
        guard let digits, let number = Int64(digits) else { return 0 }
        guard number <= last else {
            throw ValidationError(
                "There is no \(field) \(number); \(field)s are 00 to \(field == "hour" ? 23 : 59).")
        }
        return number
    }
}
