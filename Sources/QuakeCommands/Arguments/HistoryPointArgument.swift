import ArgumentParser
import QuakeStore

/// A point in the history on the command line: a token, `beginning`, `now`, a transaction such as `#1234`, or a time on
/// one of the two clocks (``HistoryTime``).
enum HistoryPointArgument: Hashable, Sendable {
    case token(String)
    case time(HistoryTime)
    /// The state after a transaction.
    case transaction(TransactionNumber)

    static let now = HistoryPointArgument.token("now")

    static func parse(_ text: String) throws -> HistoryPointArgument {
        let word = text.lowercased()
        if ["now", "beginning"].contains(word) { return .token(word) }
        if HistoryToken(text) != nil { return .token(text) }
        if let number = transactionNumber(text) { return .transaction(number) }
        if let time = try HistoryTime.find(text) { return .time(time) }
        throw ValidationError(
            "Write a time (2021-07-22, 7d, published:7d), token, transaction ('#12'), beginning or now.")
    }

    /// Returns the transaction number in `#1234` or `1234`. Nil for 4, 8, 10 or 13 digits without `#`, which are a
    /// year, a date, and seconds or milliseconds since 1970.
    private static func transactionNumber(_ text: String) -> TransactionNumber? {
        guard let digits = text.wholeMatch(of: /#?([0-9]{1,15})/)?.output.1,
            text.hasPrefix("#") || ![4, 8, 10, 13].contains(digits.count)
        else { return nil }
        return Int64(digits).map { TransactionNumber($0) }
    }

    /// Pins `context` to the state at this point.
    func pin(_ context: QuakeContext, now: Timestamp, zone: DisplayTimeZone) throws {
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
                throw number < floor ? StoreError.generationExpired(trimmedThrough: floor) : .noTransaction(number)
            }
            try context.pin(to: .token(transaction.token))
        case .time(let time):
            do {
                try context.pin(to: time.generation(now: now, zone: zone))
            } catch let error as StoreError {
                var answer = CommandError(error)
                guard case .beforeHistory = error, let state = publishedArgument(in: context, now, zone) else {
                    throw error
                }
                let first = try? context.history.firstSnapshot()
                let isEarlier = first.map { time.time.resolve(now: now, zone: zone) < $0 } ?? false
                answer.remedy =
                    isEarlier
                    ? "The earliest state that can be shown is `\(state)`."
                    : "To see what USGS had published by then, use `\(state)`."
                throw answer
            }
        }
    }

    /// Returns `published:TIME` for the time of this state. If no snapshot was published by then, returns the
    /// publication time of the first snapshot instead.
    ///
    /// Returns `now` for `now`. Returns nil for any other point that is not a time, and if the state at neither
    /// publication time is available. Pins `context` to the states that it tries.
    func publishedArgument(in context: QuakeContext, _ now: Timestamp, _ zone: DisplayTimeZone) -> String? {
        guard case .time(let time) = self else { return self == .now ? "now" : nil }
        let moments = [time.time.resolve(now: now, zone: zone), try? context.history.firstSnapshot()]
        let found = moments.compactMap(\.self).first { moment in
            (try? context.pin(to: .published(moment))) != nil && (try? requireSnapshot(in: context)) != nil
        }
        return found.map { "published:" + $0.iso8601.replacing(/T00:00:00\.000Z|\.000(?=Z)/, with: "") }
    }

    /// Returns the time of the state; nil for a transaction or a token other than `now`.
    func moment(now: Timestamp, zone: DisplayTimeZone) -> Timestamp? {
        if case .time(let time) = self { return time.time.resolve(now: now, zone: zone) }
        return self == .now ? now : nil
    }

    /// Throws if `context`, which must be pinned to this state, is pinned to a publication time before the first
    /// snapshot. Such a state contains only quakes whose details were fetched, so every other quake would count as a
    /// difference.
    func requireSnapshot(in context: QuakeContext) throws {
        guard let first = try context.firstSnapshotAfterState() else { return }
        throw CommandError(
            "Both states must be at or after \(first.momentWords), when the first copy of a feed was published.",
            "`quakes history` shows when each copy of a feed was published.", .unusableToken)
    }

    /// Returns the position from which to read the changes since this point. `context` must be pinned to this point.
    func start(in context: QuakeContext, now: Timestamp, zone: DisplayTimeZone) throws -> HistoryDescriptor.Start {
        if case .time(let time) = self, time.isPublished { return time.start(now: now, zone: zone) }
        return .token(try context.history.currentToken())
    }
}
