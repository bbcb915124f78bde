import ArgumentParser
import QuakeModel
import QuakeStore

/// A place in the history as it is typed: a token, `beginning`, `now`, or a time.
struct PlaceArgument: Hashable, Sendable, ExpressibleByArgument {
    private enum Kind: Hashable {
        case token(String)
        case time(TimeExpression)
    }

    private let kind: Kind

    init?(argument: String) {
        if ["now", "beginning"].contains(argument) || HistoryToken(argument) != nil {
            kind = .token(argument)
        } else if let time = TimeExpression(argument: argument) {
            kind = .time(time)
        } else {
            return nil
        }
    }

    /// The newest state.
    static let now = PlaceArgument(kind: .token("now"))

    private init(kind: Kind) {
        self.kind = kind
    }

    /// Reads `text`, or says what is wrong with it.
    static func parse(_ text: String) throws -> PlaceArgument {
        guard let place = PlaceArgument(argument: text) else {
            throw ValidationError(
                "\"\(text)\" is neither a token (as `quakes changes` and `quakes status` print it, or beginning, or now) nor a time "
                    + "(2021-07-22T20:39:44Z, 2021-07-22, 2h, 7d).")
        }
        return place
    }

    /// Lets `context` read the cache as it was there.
    func pin(_ context: QuakeContext, now: Timestamp) throws {
        switch kind {
        case .token("now"): try context.pin(to: .current)
        case .token(let text):
            let token = try TokenArgument.resolve(text, in: context)
            do {
                try context.pin(to: .token(token))
            } catch StoreError.token(let fault) {
                throw CommandError.unusableToken(fault)
            }
        case .time(let time): try context.pin(to: .moment(time.resolve(now: now)))
        }
    }
}

/// Whether to read the present or an earlier state.
struct PastOption: ParsableArguments {
    @Option(
        name: .customLong("at"), parsing: .unconditional,
        help: ArgumentHelp(
            "The cache as it was at a token, or after the last transaction up to a time.", valueName: "token|time"),
        transform: PlaceArgument.parse)
    var place: PlaceArgument?

    /// Lets `context` read the state that is meant. A state that is gone, or not of this cache, throws.
    func pin(_ context: QuakeContext, in environment: CommandEnvironment) throws {
        try place?.pin(context, now: environment.now())
    }
}
