import ArgumentParser

/// Where in the history to start, other than at a token, and who keeps the place.
struct HistoryPlaceOptions: ParsableArguments {
    /// What becomes of a token that cannot be followed.
    enum Remedy: String, CaseIterable, ExpressibleByArgument {
        case resync, fail
    }

    @Option(
        name: .customLong("consumer"),
        help: ArgumentHelp("Whose last token a bare --since-token means (default).", valueName: "name"))
    var consumer: String?

    @Option(
        name: .customLong("token-file"),
        help: ArgumentHelp("Keep the last token in this file instead of the cache.", valueName: "path"),
        completion: .file())
    var tokenFile: String?

    @Option(
        name: .customLong("since"), parsing: .unconditional,
        help: ArgumentHelp("After the last transaction at or before this time.", valueName: "time"),
        transform: TimeExpression.parse)
    var since: TimeExpression?

    @Option(
        name: .customLong("since-transaction"),
        help: ArgumentHelp("After the transaction of this number.", valueName: "number"))
    var sinceTransaction: Int64?

    @Option(
        name: .customLong("on-expired"),
        help: ArgumentHelp("What to do with a token that cannot be followed.", valueName: "remedy"))
    var onExpired: Remedy = .resync

    func validate() throws {
        if consumer?.isEmpty == true { throw ValidationError("--consumer needs a name.") }
        if tokenFile?.isEmpty == true { throw ValidationError("--token-file needs a path.") }
        if let sinceTransaction, sinceTransaction < 0 {
            throw ValidationError("--since-transaction cannot be negative.")
        }
    }
}
