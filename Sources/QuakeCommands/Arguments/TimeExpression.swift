import ArgumentParser
import QuakeStore

/// A time on the command line:
///
/// - ISO 8601: a year, a month, or a date with or without a time of day
/// - Seconds or milliseconds since 1970
/// - A named day such as `yesterday`, with or without a time of day
/// - `now`, or an age such as `2h` or `2 hours ago`. A month in an age has 30 days.
enum TimeExpression: Hashable, Sendable {
    /// A moment: a time with a zone, or a number since 1970.
    case moment(Timestamp)
    /// A date or time without a zone, stored as if the zone were UTC.
    case clock(Timestamp)
    /// A time before now.
    ///
    /// - Parameter hasBareMinutes: Whether the text has the unit `m`, by which a user may mean months.
    case age(Duration, hasBareMinutes: Bool = false)
    /// A named day, and the time of day as the time since midnight.
    case day(NamedDay, time: Duration)

    static func parse(_ text: String) throws -> TimeExpression {
        if let time = try find(text) { return time }
        guard text.prefixMatch(of: /(?i)published:/) == nil else {
            throw ValidationError("published:TIME is a state of the cache, for --at, `diff` and `changes --since`.")
        }
        throw malformed(text)
    }

    /// Returns the error for `text`, which is not a time.
    static func malformed(_ text: String) -> ValidationError {
        if text.contains(/^[0-9]{4}$/) {
            if (try? TimeOfDay.find(text)) != nil {
                let clock = "\(text.prefix(2)):\(text.suffix(2))"
                return ValidationError("Write \(text)-01-01 for the year, or \"today \(clock)\" for the time of day.")
            }
            return ValidationError("A year without a month must be 1600 to 2199; write \(text)-01-01.")
        }
        return ValidationError(
            "Write a time such as 2021-07-22, \"2021-07-22 20:39\", 7d, \"2 hours ago\" or yesterday.")
    }

    /// Returns the time, or nil for other text. For an ambiguous time or a time that does not exist, throws a usage
    /// error that says what to write.
    static func find(_ text: String) throws -> TimeExpression? {
        guard text.utf8.count < 100 else { return nil }
        let text = text.split(separator: " ").joined(separator: " ")
        let word = text.lowercased()
        if word == "now" { return .age(.zero) }
        if let time = try day(word) ?? age(text) ?? iso8601(word) { return time }
        if let moment = Timestamp(sinceEpoch: text) { return .moment(moment) }
        if let advice = try RefusedTime.advice(on: word) { throw ValidationError(advice) }
        return nil
    }

    /// Parses an age for an option that accepts no other time.
    static func parseAge(_ text: String) throws -> TimeExpression {
        if let age = try age(text) { return age }
        guard try find(text) == nil else { throw ValidationError("Write an age, such as 365d; --before takes a time.") }
        throw Duration.malformed
    }

    private static func day(_ word: String) throws -> TimeExpression? {
        if let day = NamedDay(word) { return .day(day, time: .zero) }
        guard let space = word.lastIndex(of: " "), let day = NamedDay(word[..<space]), word.contains(":"),
            let time = try TimeOfDay.find(word[space...].dropFirst())
        else { return nil }
        return .day(day, time: time)
    }

    /// Parses an age in any of these forms: `7d`, `7d ago`, `-7d`, `now-7d`.
    private static func age(_ text: String) throws -> TimeExpression? {
        let amount = text.wholeMatch(of: /(.+) (?i:ago)|(?:(?i:now) ?)?- ?(.+)/)
        let words = (amount?.output.1 ?? amount?.output.2 ?? text[...]).replacing(#/^(?i:an?) /#, with: "1 ")
        guard let age = try Duration.find(words) else { return nil }
        return .age(age, hasBareMinutes: words.contains(/m(?![A-Za-z])/))
    }

    /// Returns the moment of this expression, limited to the years 0 to 9999. `zone` applies to times without a zone.
    func resolve(now: Timestamp, zone: DisplayTimeZone) -> Timestamp {
        let moment =
            switch self {
            case .moment(let moment): moment
            case .clock(let fields): zone.moment(showing: fields)
            case .age(let age, _): now - age
            case .day(let day, let time):
                zone.moment(showing: day.start(today: zone.shifted(now).startOfDay) + time)
            }
        return min(max(moment, Timestamp.representable.lowerBound), Timestamp.representable.upperBound)
    }
}

extension Timestamp {
    /// The start of this moment's day in UTC.
    var startOfDay: Timestamp {
        let day: Int64 = 86_400_000
        return Timestamp(milliseconds: milliseconds - (milliseconds % day + day) % day)
    }

    /// Parses `@1700000000` (seconds, as date(1) accepts) or a bare number: 10 digits are seconds, 13 are milliseconds.
    fileprivate init?(sinceEpoch text: String) {
        guard let digits = text.wholeMatch(of: /@(-?[0-9]{1,15})|([0-9]{10}|[0-9]{13})/)?.output,
            let number = Int64(digits.1 ?? digits.2 ?? "")
        else { return nil }
        let moment = Timestamp(milliseconds: digits.2?.count == 13 ? number : number * 1000)
        guard Timestamp.representable.contains(moment) else { return nil }
        self = moment
    }
}
