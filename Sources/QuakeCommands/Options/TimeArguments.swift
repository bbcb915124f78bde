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

extension Duration {
    /// Parses whole numbers with units, such as `90s`, `2d12h` or `3 weeks`; a year has 365 days.
    static func parse(_ text: String) throws -> Duration {
        guard let duration = Duration(argument: text) else {
            throw ValidationError(
                "A duration is a number with a unit, such as 90s, 15min, 2h, 7d, 3w or 1y, or several, such as 2d12h.")
        }
        return duration
    }

    fileprivate init?(argument: String) {
        var seconds: Int64 = 0
        var rest = argument[...]
        repeat {
            let digits = rest.prefix { $0.isASCII && $0.isWholeNumber }
            rest = rest.dropFirst(digits.count).drop { $0 == " " }
            let unit = rest.prefix { $0.isASCII && $0.isLetter }
            rest = rest.dropFirst(unit.count).drop { $0 == " " }
            guard let count = Int64(digits), let length = Self.units[String(unit)] else { return nil }
            let (part, isTooLarge) = count.multipliedReportingOverflow(by: length)
            guard !isTooLarge, part <= Self.longest else { return nil }
            seconds += part
            guard seconds <= Self.longest else { return nil }
        } while !rest.isEmpty
        self = .seconds(seconds)
    }

    /// Parses a time of day: `10:00` or `22:15:30`.
    fileprivate init?(timeOfDay text: Substring) {
        guard let moment = Timestamp(iso8601: "1970-01-01T\(text)Z"), (0..<86_400_000).contains(moment.milliseconds)
        else { return nil }
        self = .milliseconds(moment.milliseconds)
    }

    /// Ten thousand years in seconds, enough to reach every representable moment.
    private static let longest: Int64 = 315_576_000_000

    private static let units = Dictionary(
        uniqueKeysWithValues: [
            (1, ["s", "sec", "secs", "second", "seconds"]), (60, ["m", "min", "mins", "minute", "minutes"]),
            (3600, ["h", "hr", "hrs", "hour", "hours"]), (86_400, ["d", "day", "days"]),
            (2_592_000, ["mo", "month", "months"]),
            (604_800, ["w", "week", "weeks"]), (31_536_000, ["y", "year", "years"]),
        ].flatMap { seconds, names in names.map { ($0, Int64(seconds)) } })
}

struct OriginTimeOptions: ParsableArguments {
    @Option(
        "-s --since <time>", "Minimum origin time (inclusive): ISO 8601, a date, or an age such as 2h or 7d.",
        parsing: .unconditional, completion: .time, transform: TimeExpression.parse)
    var since: TimeExpression?

    @Option(
        "--until <time>", "Maximum origin time (exclusive), in the same formats.", parsing: .unconditional,
        completion: .time, transform: TimeExpression.parse)
    var until: TimeExpression?

    var isSet: Bool { since != nil || until != nil }

    /// Adds the bounds to `filter`; ages count back from `now`. Throws a usage error if the bounds exclude everything.
    func restrict(_ filter: inout QuakeFilter, now: Timestamp, zone: LocalTime) throws {
        let (start, end) = (since?.resolve(now: now, zone: zone), until?.resolve(now: now, zone: zone))
        if let start, let end, start >= end {
            var day = ""
            if since == until, case .clock(let date) = until {
                day = " --until \((date + .seconds(86_400)).dayWords) includes that day."
            }
            throw ValidationError(
                "--since (\(start.momentWords)) is not before --until (\(end.momentWords)), so nothing can match."
                    + day)
        }
        filter.since = start
        filter.until = end
    }
}

/// A time on one of the history's two clocks: `2h` refers to the cache's clock, `published:2h` to publication times.
struct HistoryTime: Hashable, Sendable {
    var time: TimeExpression
    var isPublished: Bool

    static func parse(_ text: String) throws -> HistoryTime {
        let time = try TimeExpression.parse(text.replacing(/^published:/, with: ""))
        return HistoryTime(time: time, isPublished: text.hasPrefix("published:"))
    }

    func generation(now: Timestamp, zone: LocalTime) -> QuakeGeneration {
        let moment = time.resolve(now: now, zone: zone)
        return isPublished ? .published(moment) : .committed(moment)
    }

    /// Returns the position after this time.
    func start(now: Timestamp, zone: LocalTime) -> HistoryDescriptor.Start {
        let moment = time.resolve(now: now, zone: zone)
        return isPublished ? .published(moment) : .committed(moment)
    }
}

/// A point in the history on the command line: a token, `beginning`, `now`, or a time on one of the two clocks.
enum HistoryPointArgument: Hashable, Sendable {
    case token(String)
    case time(HistoryTime)
    /// The state after a transaction.
    case transaction(TransactionNumber)

    static let now = HistoryPointArgument.token("now")

    static func parse(_ text: String) throws -> HistoryPointArgument {
        if ["now", "beginning"].contains(text) || HistoryToken(text) != nil { return .token(text) }
        // Four digits mean a year.
        if let number = text.wholeMatch(of: /#([0-9]{1,15})|([0-9]{1,3}|[0-9]{5,15})/) {
            let digits = number.output.1 ?? number.output.2 ?? ""
            return .transaction(TransactionNumber(Int64(digits) ?? 0))
        }
        guard let time = try? HistoryTime.parse(text) else {
            throw ValidationError(
                "Write a state as a token, a time such as 2021-07-22 or 7d, published:2021-07-22, a transaction number "
                    + "('#1234' for a four-digit number, because 1234 alone is a year), or the word beginning or now.")
        }
        return .time(time)
    }

    /// Pins `context` to the state at this point.
    func pin(_ context: QuakeContext, now: Timestamp, zone: LocalTime) throws {
        switch self {
        case .token("now"): try context.pin(to: .current)
        case .token(let text):
            let token = try TokenArgument.resolve(text, in: context)
            do {
                try context.pin(to: .token(token))
            } catch StoreError.token(let fault) { throw TokenArgument.unusable(fault) }
        case .transaction(let number):
            guard number > .zero else {
                return try HistoryPointArgument.token("beginning").pin(context, now: now, zone: zone)
            }
            // A context pinned to an earlier state cannot see later transactions.
            try context.pin(to: .current)
            guard let transaction = try context.history.transaction(number) else {
                let floor = try context.history.floor().number
                guard number != floor else {
                    return try context.pin(to: .token(context.history.token(afterTransaction: floor)))
                }
                throw number < floor ? StoreError.generationExpired(floor: floor) : .noTransaction(number)
            }
            try context.pin(to: .token(transaction.token))
        case .time(let time):
            do {
                try context.pin(to: time.generation(now: now, zone: zone))
            } catch let error as StoreError {
                var answer = CommandError(error)
                guard case .beforeHistory = error, let state = published(in: context, now, zone) else { throw error }
                answer.remedy = "`\(state)` selects the state according to the snapshots published by then."
                throw answer
            }
        }
    }

    /// Returns `published:TIME` for the time of this state or, if that precedes the first snapshot, of the snapshot.
    /// Returns `now` for `now`; nil if neither state is available or this state is not given as a time.
    func published(in context: QuakeContext, _ now: Timestamp, _ zone: LocalTime) -> String? {
        guard case .time(let time) = self else { return self == .now ? "now" : nil }
        let moments = [time.time.resolve(now: now, zone: zone), try? context.history.firstSnapshot()]
        let found = moments.compactMap(\.self).first { moment in
            (try? context.pin(to: .published(moment))) != nil && (try? requireSnapshot(in: context)) != nil
        }
        return found.map { "published:" + $0.iso8601.replacing(/T00:00:00\.000Z|\.000(?=Z)/, with: "") }
    }

    /// Returns the time of the state; nil for a transaction or a token other than `now`.
    func moment(now: Timestamp, zone: LocalTime) -> Timestamp? {
        if case .time(let time) = self { return time.time.resolve(now: now, zone: zone) }
        return self == .now ? now : nil
    }

    /// Throws if the state was published before the first snapshot. Such a state contains only quakes whose details
    /// were fetched, so every other quake would count as a difference. `context` must be pinned to the state.
    func requireSnapshot(in context: QuakeContext) throws {
        guard let first = try context.firstSnapshotAfterState() else { return }
        throw CommandError(
            "Both states must be at or after the first snapshot, which was published at \(first.momentWords).",
            "`quakes history` shows when each snapshot was published.", .unusableToken)
    }

    /// Returns the start of the changes since this point. `context` must be pinned to it.
    func start(in context: QuakeContext, now: Timestamp, zone: LocalTime) throws -> HistoryDescriptor.Start {
        if case .time(let time) = self, time.isPublished { return time.start(now: now, zone: zone) }
        return .token(try context.history.head())
    }
}

struct PastOption: ParsableArguments {
    @Option(
        "--at <token|time>",
        """
        Show the cache as of a token or time. published:TIME shows the catalog according to the snapshots published \
        by then. Exits with status 3 if the history does not reach back that far.
        """, parsing: .unconditional, completion: .historyPoint, transform: HistoryPointArgument.parse)
    var point: HistoryPointArgument?

    /// Pins `context` to the selected state. Throws if its history was purged or the token belongs to another cache.
    func pin(_ context: QuakeContext, in environment: CommandEnvironment, zone: LocalTime) throws {
        try point?.pin(context, now: environment.now(), zone: zone)
    }

    /// Returns the time from which ages count back: the time of the selected state, if known, or now.
    func now(in environment: CommandEnvironment, zone: LocalTime) -> Timestamp {
        point?.moment(now: environment.now(), zone: zone) ?? environment.now()
    }

    /// Returns the default end of the requested time range: the time of the selected state, as returned by
    /// ``HistoryPointArgument/moment(now:zone:)``. Nil if neither a range nor a state was requested.
    func moment(for times: OriginTimeOptions, in environment: CommandEnvironment, zone: LocalTime) -> Timestamp? {
        times.isSet || point != nil ? (point ?? .now).moment(now: environment.now(), zone: zone) : nil
    }
}

/// A token on the command line: a printed token, `now`, or `beginning`.
enum TokenArgument {
    /// Returns the token for `text`. Throws a ``CommandError`` for any other text.
    ///
    /// `beginning` precedes the first transaction. Like any other old token, it expires when history is purged.
    static func resolve(_ text: String, in context: QuakeContext) throws -> HistoryToken {
        switch text {
        case "now": return try context.history.head()
        case "beginning": return HistoryToken(storeID: try context.history.storeID(), number: .zero, fingerprint: 0)
        default:
            guard let token = HistoryToken(text) else { throw malformed(text) }
            return token
        }
    }

    static func malformed(_ text: String) -> CommandError {
        CommandError(
            "\"\(text.count > 60 ? text.prefix(60) + "…" : text)\" is not a token.",
            "Use a token printed by `quakes changes` or `quakes token`, or the word `beginning` or `now`.", .usage)
    }

    static func unusable(_ fault: TokenFault) -> CommandError {
        CommandError(
            "The token cannot be used: \(fault.words).", "`quakes token` prints a token for the current state.",
            .unusableToken)
    }
}
