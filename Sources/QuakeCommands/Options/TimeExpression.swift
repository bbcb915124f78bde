import ArgumentParser
import QuakeModel

/// A moment as it is typed: ISO 8601, a date, `now`, or an age such as `2h` or `7d`, counted back from now.
enum TimeExpression: Hashable, Sendable, ExpressibleByArgument {
    case moment(Timestamp)
    case age(Duration)

    init?(argument: String) {
        if argument == "now" {
            self = .age(.zero)
        } else if let age = DurationArgument(argument: argument) {
            self = .age(age.duration)
        } else if let moment = Timestamp(iso8601: argument) {
            self = .moment(moment)
        } else {
            return nil
        }
    }

    /// Reads `text`, or says what is wrong with it.
    static func parse(_ text: String) throws -> TimeExpression {
        guard let expression = TimeExpression(argument: text) else {
            throw ValidationError(
                "A time is ISO 8601 (2021-07-22T20:39:44Z), a date (2021-07-22), an age (90s, 15m, 2h, 7d, 3w) or now.")
        }
        return expression
    }

    /// The moment meant, when it is `now`. An age that reaches behind the year 0 ends there.
    func resolve(now: Timestamp) -> Timestamp {
        switch self {
        case .moment(let moment): moment
        case .age(let age): max(now - age, Timestamp.representable.lowerBound)
        }
    }
}
