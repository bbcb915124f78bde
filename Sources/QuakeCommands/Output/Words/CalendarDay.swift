import QuakeModel

/// A calendar day in a time zone.
struct CalendarDay: Equatable {
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    private let year: Int
    /// The name of the month: `July`.
    let month: String
    private let day: Int

    init(_ moment: Timestamp, _ zone: DisplayTimeZone) {
        // A year may have a sign, so the parts are read from the end.
        let parts = zone.shifted(moment).dayWords.split(separator: "-").map { Int($0) ?? 0 }
        let number = min(max(parts.dropLast().last ?? 1, 1), Self.months.count)
        year = parts.dropLast(2).last ?? 0
        month = Self.months[number - 1]
        day = parts.last ?? 0
    }

    /// `July 22, 2021`.
    var words: String { "\(month) \(day), \(year)" }

    /// Returns the day, without the year if `other` is in the same year.
    func words(before other: CalendarDay) -> String { year == other.year ? "\(month) \(day)" : words }

    /// Returns the range from this day to `last`, with shared parts written once: `July 15–22, 2021`, `July 30–August
    /// 2, 2021`.
    func words(to last: CalendarDay) -> String {
        if self == last { return words }
        let isSameMonth = (year, month) == (last.year, last.month)
        return "\(words(before: last))–\(isSameMonth ? "\(last.day), \(last.year)" : last.words)"
    }
}
