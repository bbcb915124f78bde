import QuakeModel

/// A day on the command line relative to today: `today`, `yesterday`, or a weekday such as `tuesday`, which means the
/// last Tuesday before today.
enum NamedDay: Hashable, Sendable {
    case ago(days: Int64)
    /// A weekday, numbered from 0 for Thursday, the weekday of 1970-01-01.
    case weekday(Int64)

    private static let weekdays = ["thursday", "friday", "saturday", "sunday", "monday", "tuesday", "wednesday"]

    /// Finds the day called `name`, which must be in lowercase. Also accepts the first three letters of a weekday, and
    /// `last` before a weekday. Nil for other text.
    init?(_ name: some StringProtocol) {
        switch name {
        case "today": self = .ago(days: 0)
        case "yesterday": self = .ago(days: 1)
        default:
            let weekday = Substring(name).trimmingPrefix("last ")
            guard let number = Self.weekdays.firstIndex(where: { $0 == weekday || $0.prefix(3) == weekday }) else {
                return nil
            }
            self = .weekday(Int64(number))
        }
    }

    /// Returns the start of the day, given the start of `today`.
    func start(today: Timestamp) -> Timestamp {
        today - .seconds(86_400 * days(before: today))
    }

    private func days(before today: Timestamp) -> Int64 {
        switch self {
        case .ago(let days): return days
        case .weekday(let number):
            let days = (today.milliseconds / 86_400_000 - number) % 7
            return days > 0 ? days : days + 7
        }
    }
}
