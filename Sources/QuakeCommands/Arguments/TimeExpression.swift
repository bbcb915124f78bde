import ArgumentParser
import QuakeStore

/// A time on the command line: ISO 8601, a date, a month, a year, seconds or milliseconds since 1970, a named day with
/// or without a time of day, or an age such as `2h` or `2 hours ago`, counted back from now. A month in an age has 30
/// days.
enum TimeExpression: Hashable, Sendable {
    /// A moment, given with its zone or as a number since 1970.
    case moment(Timestamp)
    /// A date or time without a zone, stored as if it were in UTC.
    case clock(Timestamp)
    /// - Parameter hasBareMinutes: Whether the text has the unit `m`, which somebody may mean as months.
    case age(Duration, hasBareMinutes: Bool = false)
    /// A day, and the time since it began.
    case day(NamedDay, time: Duration)

    static func parse(_ text: String) throws -> TimeExpression {
        if let time = try find(text) { return time }
        throw malformed
    }

    static var malformed: ValidationError {
        ValidationError(
            "Write a time such as 2021-07-22, \"2021-07-22 20:39\", 7d, \"2 hours ago\" or yesterday.")
    }

    /// Returns the time, or nil for other text. Throws a usage error that says what to write if the text has the form
    /// of a time, but there is no such time or it has several meanings.
    static func find(_ text: String) throws -> TimeExpression? {
        guard text.utf8.count < 100 else { return nil }
        let text = text.split(separator: " ").joined(separator: " ")
        let word = text.lowercased()
        if word == "now" { return .age(.zero) }
        if let time = try day(word) ?? age(text) ?? iso8601(word) { return time }
        if let moment = Timestamp(sinceEpoch: text) { return .moment(moment) }
        if let advice = RefusedTime.advice(on: word) { throw ValidationError(advice) }
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

    /// Parses `7d`, `7d ago`, `-7d` or `now-7d`, which mean the same.
    private static func age(_ text: String) throws -> TimeExpression? {
        let amount = text.wholeMatch(of: /(.+) (?i:ago)|(?:(?i:now) ?)?- ?(.+)/)
        let words = (amount?.output.1 ?? amount?.output.2 ?? text[...]).replacing(#/^(?i:an?) /#, with: "1 ")
        guard let age = try Duration.find(words) else { return nil }
        return .age(age, hasBareMinutes: words.contains(/m(?![A-Za-z])/))
    }

    /// Returns the moment of this expression, from year 0 to 9999. A time without a zone is in `zone`.
    func resolve(now: Timestamp, zone: LocalTime) -> Timestamp {
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

    /// Parses seconds such as `@1700000000`, the form that date(1) uses, or a bare number: 10 digits are seconds, 13
    /// are milliseconds.
    fileprivate init?(sinceEpoch text: String) {
        guard let digits = text.wholeMatch(of: /@(-?[0-9]{1,15})|([0-9]{10}|[0-9]{13})/)?.output,
            let number = Int64(digits.1 ?? digits.2 ?? "")
        else { return nil }
        let moment = Timestamp(milliseconds: digits.2?.count == 13 ? number : number * 1000)
        guard Timestamp.representable.contains(moment) else { return nil }
        self = moment
    }
}
