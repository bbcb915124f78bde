import ArgumentParser
import QuakeModel
import QuakeOutput
import QuakeStore

/// A time on the command line: ISO 8601, a date, a month, a year, `now`, `today`, `yesterday`, or an age such as `2h`
/// or `7d`, counted back from now.
enum TimeExpression: Hashable, Sendable {
    case moment(Timestamp)
    case age(Duration)
    /// The start of the day, in UTC, so many days ago.
    case day(ago: Int64)

    private init?(_ text: String) {
        switch text {
        case "now": self = .age(.zero)
        case "today": self = .day(ago: 0)
        case "yesterday": self = .day(ago: 1)
        default:
            if let age = Duration(argument: text) {
                self = .age(age)
            } else if let moment = Timestamp(iso8601: text) {
                self = .moment(moment)
            } else if text.utf8.count < 10,
                let moment = Timestamp(iso8601: text + "-01") ?? Timestamp(iso8601: text + "-01-01")
            {
                self = .moment(moment)
            } else {
                return nil
            }
        }
    }

    /// Parses `text`, or throws an error that says what is wrong with it.
    static func parse(_ text: String) throws -> TimeExpression {
        guard let expression = TimeExpression(text) else {
            throw ValidationError(
                "A time is ISO 8601 (2021-07-22T20:39:44Z), a date (2021-07-22), a month (2021-07), a year (2021), an age "
                    + "(90s, 15m, 2h, 2d12h, 3w, 1y), today, yesterday or now.")
        }
        return expression
    }

    /// The moment, given the present time. An age that would reach a time before year 0 gives year 0.
    func resolve(now: Timestamp) -> Timestamp {
        switch self {
        case .moment(let moment): moment
        case .age(let age): max(now - age, Timestamp.representable.lowerBound)
        case .day(let days): now.startOfDay - .seconds(86_400 * days)
        }
    }
}

extension Timestamp {
    /// The start of its day in UTC.
    fileprivate var startOfDay: Timestamp {
        let day: Int64 = 86_400_000
        let rest = milliseconds % day
        return Timestamp(milliseconds: milliseconds - (rest < 0 ? rest + day : rest))
    }
}

extension Duration {
    /// Parses a duration on the command line: whole numbers, each with a unit, such as `90s`, `2h`, `2d12h`, `3w` or
    /// `1y`. A year has 365 days.
    static func parse(_ text: String) throws -> Duration {
        guard let duration = Duration(argument: text) else {
            throw ValidationError(
                "A duration is a whole number and a unit: 90s, 15m, 2h, 7d, 3w or 1y; or several: 2d12h.")
        }
        return duration
    }

    fileprivate init?(argument: String) {
        var seconds: Int64 = 0
        var digits = ""
        for character in argument {
            if character.isASCII, character.isWholeNumber {
                digits.append(character)
                continue
            }
            guard let unit = Self.seconds(perUnit: character), let count = Int64(digits) else { return nil }
            let (part, isTooLarge) = count.multipliedReportingOverflow(by: unit)
            guard !isTooLarge, part <= Self.longest else { return nil }
            seconds += part
            digits = ""
            guard seconds <= Self.longest else { return nil }
        }
        guard digits.isEmpty, !argument.isEmpty else { return nil }
        self = .seconds(seconds)
    }

    /// Ten thousand years, in seconds: enough to reach every moment that can be written.
    private static let longest: Int64 = 315_576_000_000

    private static func seconds(perUnit unit: Character) -> Int64? {
        switch unit {
        case "s": 1
        case "m": 60
        case "h": 3600
        case "d": 86_400
        case "w": 604_800
        case "y": 31_536_000
        default: nil
        }
    }
}

/// The options that filter by origin time.
struct OriginTimeOptions: ParsableArguments {
    @Option(
        name: [.customShort("s"), .customLong("since")], parsing: .unconditional,
        help: ArgumentHelp(
            "Only quakes at or after this origin time: ISO 8601, a date, or an age such as 2h or 7d.", valueName: "time"
        ),
        completion: .time, transform: TimeExpression.parse)
    var since: TimeExpression?

    @Option(
        name: .customLong("until"), parsing: .unconditional,
        help: ArgumentHelp("Only quakes before this origin time, in the same forms.", valueName: "time"),
        completion: .time,
        transform: TimeExpression.parse)
    var until: TimeExpression?

    /// Adds the bounds to `filter`; ages count back from `now`. Throws a usage error if the bounds exclude everything.
    func restrict(_ filter: inout QuakeFilter, now: Timestamp) throws {
        let (start, end) = (since?.resolve(now: now), until?.resolve(now: now))
        if let start, let end, start >= end {
            throw ValidationError(
                "--since (\(start.iso8601)) is not before --until (\(end.iso8601)): no quake can match.")
        }
        filter.since = start
        filter.until = end
    }
}

/// A time on one of the two clocks of the history: `2h` is when the cache learned something, `published:2h` when the
/// snapshot that brought it was published.
struct HistoryTime: Hashable, Sendable {
    /// The time.
    var time: TimeExpression
    /// Whether it is a time of publication.
    var isPublished: Bool

    /// Parses `text`, or throws an error that says what is wrong with it.
    static func parse(_ text: String) throws -> HistoryTime {
        let prefix = "published:"
        let isPublished = text.hasPrefix(prefix)
        let time = try TimeExpression.parse(isPublished ? String(text.dropFirst(prefix.count)) : text)
        return HistoryTime(time: time, isPublished: isPublished)
    }

    /// The state at this time.
    func generation(now: Timestamp) -> QuakeGeneration {
        isPublished ? .published(time.resolve(now: now)) : .moment(time.resolve(now: now))
    }

    /// The place after this time.
    func start(now: Timestamp) -> HistoryDescriptor.Start {
        isPublished ? .published(time.resolve(now: now)) : .moment(time.resolve(now: now))
    }
}

/// A point in the history on the command line: a token, `beginning`, `now`, or a time on one of its two clocks.
enum HistoryPointArgument: Hashable, Sendable {
    case token(String)
    case time(HistoryTime)

    /// The present state.
    static let now = HistoryPointArgument.token("now")

    /// Parses `text`, or throws an error that says what is wrong with it.
    static func parse(_ text: String) throws -> HistoryPointArgument {
        if ["now", "beginning"].contains(text) || HistoryToken(text) != nil { return .token(text) }
        guard let time = try? HistoryTime.parse(text) else {
            throw ValidationError(
                "\"\(text)\" is neither a token (as `quakes changes` and `quakes token` print it; also beginning and now) "
                    + "nor a time (2021-07-22T20:39:44Z, 2021-07-22, 2h, 7d; published:2021-07-22 goes by the time of publication)."
            )
        }
        return .time(time)
    }

    /// Makes `context` read the cache as it was at this point.
    func pin(_ context: QuakeContext, now: Timestamp) throws {
        switch self {
        case .token("now"): try context.pin(to: .current)
        case .token(let text):
            let token = try TokenArgument.resolve(text, in: context)
            do {
                try context.pin(to: .token(token))
            } catch StoreError.token(let fault) {
                throw CommandError.unusableToken(fault)
            }
        case .time(let time): try context.pin(to: time.generation(now: now))
        }
    }

    /// Where the changes since this point start. `context` must be pinned to it.
    func start(in context: QuakeContext, now: Timestamp) throws -> HistoryDescriptor.Start {
        if case .time(let time) = self, time.isPublished { return time.start(now: now) }
        return .token(try context.head())
    }
}

/// The option that selects an earlier state of the cache.
struct PastOption: ParsableArguments {
    @Option(
        name: .customLong("at"), parsing: .unconditional,
        help: ArgumentHelp(
            """
            The cache as it was at a token, after the last transaction up to a time, or, at published:TIME, as the \
            documents published up to that time described it. Status 3 if that history was purged or begins later.
            """, valueName: "token|time"),
        completion: .historyPoint, transform: HistoryPointArgument.parse)
    var point: HistoryPointArgument?

    /// Makes `context` read the selected state. Throws if its history was purged or the token is of another cache.
    func pin(_ context: QuakeContext, in environment: CommandEnvironment) throws {
        try point?.pin(context, now: environment.now())
    }
}

/// A token on the command line: a printed token, `now`, or `beginning`.
enum TokenArgument {
    /// The token for `text`. Throws ``CommandError/malformedToken(_:)`` for any other text.
    ///
    /// `beginning` is before the first transaction. It expires like any other old token when history is purged.
    static func resolve(_ text: String, in context: QuakeContext) throws -> HistoryToken {
        switch text {
        case "now": return try context.head()
        case "beginning": return HistoryToken(storeID: try context.storeID(), number: 0, fingerprint: 0)
        default:
            guard let token = HistoryToken(text) else { throw CommandError.malformedToken(text) }
            return token
        }
    }
}
