import ArgumentParser
import QuakeStore

/// A time on the command line: ISO 8601, a date, a month, a year, seconds since 1970 (`@1700000000`), a named day with
/// or without a time of day, or an age such as `2h`, counted back from now. A month in an age has 30 days.
enum TimeExpression: Hashable, Sendable {
    /// A moment, given with its zone or as seconds since 1970.
    case moment(Timestamp)
    /// A date or time without a zone, stored as if it were in UTC.
    case clock(Timestamp)
    /// - Parameter hasBareMinutes: Whether the text has the unit `m`, which somebody may mean as months.
    case age(Duration, hasBareMinutes: Bool = false)
    /// The day that is `ago` days before today, and the time since it began.
    case day(ago: Int64, time: Duration)

    /// The number of days before today, keyed by the name of the day.
    private static let days: [String: Int64] = ["today": 0, "yesterday": 1]

    static func parse(_ text: String) throws -> TimeExpression {
        let words = text.split(separator: " ")
        if text == "now" { return .age(.zero) }
        if let first = words.first, words.count <= 2, let days = Self.days[String(first)],
            let time = words.count == 2 ? Duration(timeOfDay: words[1]) : .zero
        {
            return .day(ago: days, time: time)
        }
        if Duration(argument: text) != nil { return try parseAge(text) }
        if let fields = Timestamp(iso8601WithoutZone: text) { return .clock(fields) }
        if let moment = Timestamp(iso8601: text) ?? Timestamp(secondsSince1970: text) { return .moment(moment) }
        if let month = text.prefixMatch(of: /[0-9]{4}-([0-9]{2})/)?.output.1, !(1...12).contains(Int(month) ?? 0) {
            throw ValidationError("There is no month \(month); months are 01 to 12.")
        }
        throw ValidationError(
            "Write a time as ISO 8601 (2021-07-22T20:39:44Z), a date (2021-07-22), a month (2021-07), a year (2021), "
                + "an age (90s, 15min, 2h, 2d12h, 3w, 1y), a word (today, \"yesterday 10:00\", now), or "
                + "seconds since 1970 (@1626986384).")
    }

    /// Parses an age only.
    static func parseAge(_ text: String) throws -> TimeExpression {
        .age(try Duration.parse(text), hasBareMinutes: text.contains(/m(?![A-Za-z])/))
    }

    /// Returns the moment of this expression. A time without a zone is in `zone`. Ages reach back to year 0 at most.
    func resolve(now: Timestamp, zone: LocalTime) -> Timestamp {
        switch self {
        case .moment(let moment): moment
        case .clock(let fields): zone.moment(showing: fields)
        case .age(let age, _): max(now - age, Timestamp.representable.lowerBound)
        case .day(let days, let time):
            zone.moment(showing: zone.shifted(now).startOfDay - .seconds(86_400 * days) + time)
        }
    }
}

extension Timestamp {
    /// The start of this moment's day in UTC.
    var startOfDay: Timestamp {
        let day: Int64 = 86_400_000
        return Timestamp(milliseconds: milliseconds - (milliseconds % day + day) % day)
    }

    /// Parses a time, date, month or year without a zone. A date, month or year means its start.
    fileprivate init?(iso8601WithoutZone text: String) {
        // Text that already has a zone becomes invalid when a second zone is appended.
        let rests = ["Z", "T00:00Z", "-01T00:00Z", "-01-01T00:00Z"]
        guard let fields = rests.lazy.compactMap({ Timestamp(iso8601: text + $0) }).first else { return nil }
        self = fields
    }

    /// Parses a moment such as `@1700000000`, the form that date(1) uses.
    fileprivate init?(secondsSince1970 text: String) {
        guard text.hasPrefix("@"), let seconds = Int64(text.dropFirst()), seconds.magnitude < 1 << 50 else {
            return nil
        }
        let moment = Timestamp(milliseconds: seconds * 1000)
        guard Timestamp.representable.contains(moment) else { return nil }
        self = moment
    }
}
