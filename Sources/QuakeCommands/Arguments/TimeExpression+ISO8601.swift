import ArgumentParser
import QuakeModel

extension TimeExpression {
    /// Parses ISO 8601 as people write it, in lowercase: `2021-07-22`, `20210722t203944z`, `2021-07-22 20:39:44,5 +02`;
    /// nil for other text. A date, month or year means its start.
    ///
    /// Throws a usage error if there is no such day or time. `Timestamp(iso8601:)` is stricter, because it reads
    /// documents, in which these variants would be mistakes.
    static func iso8601(_ text: String) throws -> TimeExpression? {
        let form =
            #/
            ([0-9]{4}) (?: - ([0-9]{1,2}) (?: - ([0-9]{1,2}) )? | ([0-9]{2}) ([0-9]{2}) )?
            (?: ([t\x20]) ([0-9:.,]+) )?
            \x20? (z|utc|gmt|[+-][0-9]{2}(?::?[0-9]{2})?)?
            /#
        guard let match = text.wholeMatch(of: form)?.output else { return nil }
        let month = match.2 ?? match.4
        let day = match.3 ?? match.5
        let zone = match.8
        let isOffset = zone?.last?.isNumber == true
        var time: Duration?
        if let digits = match.7, match.6 == "t" || digits.count > 2 {
            time = try TimeOfDay.find(digits)
        }
        // Reject ambiguous forms, such as 0830, 2021-07-22 10 and 2021-07-22-05.
        guard month != nil || years.contains(match.1), day != nil || match.7 == nil && zone == nil,
            time != nil || match.7 == nil && !isOffset
        else { return nil }
        let fields = try start(ofDay: day ?? "01", month ?? "01", match.1) + (time ?? .zero)
        guard let zone else { return .clock(fields) }
        return .moment(isOffset ? fields - (try offset(zone)) : fields)
    }

    /// The years accepted without a month. Other four-digit numbers may be times of day, and no quake in the catalog is
    /// older.
    private static let years: ClosedRange<Substring> = "1600"..."2199"

    /// Returns the start of the day in UTC. Throws a usage error if there is no such day.
    private static func start(ofDay day: Substring, _ month: Substring, _ year: Substring) throws -> Timestamp {
        func date(_ day: some StringProtocol) -> Timestamp? {
            Timestamp(iso8601: [month, Substring(day)].reduce("\(year)") { $0 + ($1.count == 1 ? "-0" : "-") + $1 })
        }
        if let found = date(day) { return found }
        guard let first = date("01"), let count = (28...31).last(where: { date("\($0)") != nil }) else {
            throw ValidationError("There is no month \(month); months are 01 to 12.")
        }
        let name = CalendarDay(first, .utc).month
        throw ValidationError("There is no \(name) \(day); \(name) \(year) has \(count) days.")
    }

    /// Returns the offset from UTC for `+0200`, `+02` or `-02:30`. Throws a usage error beyond ±23:59.
    private static func offset(_ text: Substring) throws -> Duration {
        let digits = text.filter(\.isNumber)
        let hours = Int64(digits.prefix(2)) ?? 0
        let minutes = Int64(digits.dropFirst(2)) ?? 0
        guard hours < 24, minutes < 60 else {
            throw ValidationError("There is no offset \(text) from UTC; offsets are -23:59 to +23:59.")
        }
        return .seconds((text.hasPrefix("-") ? -60 : 60) * (hours * 60 + minutes))
    }
}
