import ArgumentParser
import QuakeModel
import QuakeStore

/// Where `changes` starts and where it keeps its token.
struct StartOptions: ParsableArguments {
    /// What to do when a token cannot be used.
    enum Remedy: String, CaseIterable, ExpressibleByArgument {
        case resync, fail
    }

    /// The value of `--since-token` without a value. No argument of a command line can contain this character.
    static let lastToken = "\0"

    @Option(
        name: .customLong("since-token"), parsing: .unconditional,
        help: ArgumentHelp(
            "Start after this token, or after beginning or now; without a value, after the last token of the consumer.",
            valueName: "token"),
        completion: .optionalToken)
    var sinceToken: String?

    @Option(
        name: .customLong("consumer"),
        help: ArgumentHelp(
            "The consumer whose last token --since-token without a value stands for; else the one called default.",
            valueName: "name"),
        completion: .consumer)
    var consumer: String?

    @Option(
        name: .customLong("token-file"),
        help: ArgumentHelp(
            "Keep the last token in this file instead of the cache; the file is replaced in one step.",
            valueName: "path"),
        completion: .file())
    var tokenFile: String?

    @Option(
        name: [.customShort("s"), .customLong("since")], parsing: .unconditional,
        help: ArgumentHelp(
            """
            Start after the last transaction at or before this time; with published:TIME, only changes that were \
            published after that time.
            """, valueName: "time"),
        completion: .time, transform: HistoryTime.parse)
    var since: HistoryTime?

    @Option(
        name: .customLong("since-transaction"), parsing: .unconditional,
        help: ArgumentHelp("Start after the transaction with this number.", valueName: "number"),
        completion: .transaction)
    var sinceTransaction: TransactionNumber?

    @Option(
        name: .customLong("on-expired"),
        help: ArgumentHelp(
            "What to do when the token cannot be used: show every quake again (resync), or exit with status 3 (fail).",
            valueName: "remedy"))
    var onExpired: Remedy = .resync

    func validate() throws {
        if consumer?.isEmpty == true { throw ValidationError("--consumer needs a name.") }
        if tokenFile?.isEmpty == true { throw ValidationError("--token-file needs a path.") }
        if let sinceTransaction, sinceTransaction < .zero {
            throw ValidationError("--since-transaction cannot be negative.")
        }
    }
}

/// How changes are delivered, and when the remembered token moves.
struct DeliveryOptions: ParsableArguments {
    @Option(
        name: .customLong("ack"),
        help: ArgumentHelp("Show nothing; set the remembered token to this one.", valueName: "token"),
        completion: .token)
    var acknowledged: String?

    @Flag(name: .customLong("no-ack"), help: "Do not move the remembered token.")
    var leavesToken = false

    @Flag(
        name: .customLong("mark-read"),
        help: "Move the remembered token of the default consumer also when the output goes to a terminal.")
    var marksRead = false

    @Option(
        name: .customLong("exec"),
        help: ArgumentHelp(
            "Pass the records, if any, to this shell command. The token moves only if it exits with status 0.",
            valueName: "command"))
    var command: String?

    @Flag(
        name: .customLong("follow"),
        help: "Continue with new transactions as they are committed, until INT or TERM.")
    var follows = false

    @Option(
        name: .customLong("heartbeat"),
        help: ArgumentHelp(
            "With --follow: write a heartbeat record when there was no record for this long, such as 30s.",
            valueName: "duration"),
        transform: Duration.parse)
    var heartbeat: Duration?

    @Option(
        name: .customLong("timeout"),
        help: ArgumentHelp("With --follow: end after this long, such as 1h.", valueName: "duration"),
        transform: Duration.parse)
    var timeout: Duration?

    func validate() throws {
        if !follows, heartbeat != nil || timeout != nil {
            throw ValidationError("--heartbeat and --timeout need --follow.")
        }
        if heartbeat == .zero { throw ValidationError("--heartbeat must be longer than 0s.") }
        if [acknowledged != nil, command != nil, follows].count(where: { $0 }) > 1 {
            throw ValidationError("--ack, --exec and --follow exclude each other.")
        }
        if marksRead, leavesToken { throw ValidationError("--mark-read and --no-ack exclude each other.") }
        if acknowledged != nil, leavesToken { throw ValidationError("--ack and --no-ack exclude each other.") }
        if command?.isEmpty == true { throw ValidationError("--exec needs a command.") }
    }
}

/// Which changes to show.
struct RelevanceOptions: ParsableArguments {
    @Option(
        name: .customLong("op"),
        help: ArgumentHelp("Only these operations: insert, update, delete, enter, leave.", valueName: "op,…"),
        completion: .operations, transform: RelevanceOptions.crossings)
    var crossings: Set<RelevantChange.Crossing> = []

    @Option(
        name: .customLong("changed"),
        help: ArgumentHelp(
            """
            Only updates of these fields, or of a group of fields: source, impact, bookkeeping; with --op, the other \
            operations that it names too.
            """, valueName: "field,…"),
        completion: .changedFields, transform: ChangedFieldSet.parse)
    var changed: ChangedFieldSet?

    @Option(
        name: .customLong("author"),
        help: ArgumentHelp(
            "Only transactions of these authors. Separate several with commas, or repeat the option.", valueName: "name"
        ),
        completion: .authors)
    var authors: [String] = []

    @Option(
        name: .customLong("exclude-author"),
        help: ArgumentHelp("Skip transactions of these authors.", valueName: "name"), completion: .authors)
    var excludedAuthors: [String] = []

    @Option(
        name: .customLong("id"), help: ArgumentHelp("Only quakes that have or had one of these ids.", valueName: "id"),
        completion: .quakeIDs)
    var ids: [String] = []

    @Option(
        name: .customLong("max-origin-age"),
        help: ArgumentHelp(
            "Skip quakes that were older than this, such as 2h, when the cache learned of them, and those in the future.",
            valueName: "age"),
        transform: Duration.parse)
    var maximumOriginAge: Duration?

    @Option(
        name: [.customShort("l"), .customLong("limit")], parsing: .unconditional,
        help: ArgumentHelp("Stop after the transaction that reaches this number of changes.", valueName: "count"))
    var limit: Int?

    @Flag(name: .customLong("coalesce"), help: "Show the net change of each quake instead of every change.")
    var coalesces = false

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit must be at least 1.") }
        if limit != nil, coalesces { throw ValidationError("--limit and --coalesce exclude each other.") }
    }

    /// The history query for these options and `filter`. Throws for an id that no quake ever had.
    func descriptor(filter: QuakeFilter, in context: QuakeContext) throws -> HistoryDescriptor {
        var descriptor = HistoryDescriptor()
        descriptor.filter = filter
        descriptor.crossings = crossings.isEmpty && changed != nil ? Self.updates : crossings
        descriptor.properties = changed?.properties ?? []
        descriptor.authors = NameList.set(authors)
        descriptor.excludedAuthors = NameList.set(excludedAuthors)
        descriptor.maximumOriginAge = maximumOriginAge
        descriptor.limit = limit
        descriptor.isCoalesced = coalesces
        let names = NameList.set(ids)
        if !names.isEmpty {
            descriptor.quakeKeys = Set(
                try names.map { name in
                    guard let key = try context.key(ofID: name) else { throw try context.unknownQuake(name) }
                    return key
                })
        }
        return descriptor
    }

    /// What happens to a quake that was known before and still is; with a filter, it may come into view or leave it.
    private static let updates: Set<RelevantChange.Crossing> = [.update, .enter, .leave]

    private static func crossings(_ text: String) throws -> Set<RelevantChange.Crossing> {
        Set(
            try NameList.names(in: text).map { name in
                guard let crossing = RelevantChange.Crossing(rawValue: name) else {
                    let names = RelevantChange.Crossing.allCases.map(\.rawValue).joined(separator: ", ")
                    throw ValidationError("There is no op \"\(name)\". The ops are: \(names).")
                }
                return crossing
            })
    }
}
