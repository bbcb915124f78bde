import ArgumentParser
import QuakeStore

/// Where `changes` starts and where it keeps its token.
struct StartOptions: ParsableArguments {
    /// What to do when a token cannot be used.
    enum Remedy: String, CaseIterable, ExpressibleByArgument {
        case resync, fail
    }

    /// The value of `--since-token` without a value: the consumer's saved token.
    static let lastToken = "last"

    @Option(
        name: .customLong("since-token"), defaultAsFlag: lastToken, parsing: .next,
        help: ArgumentHelp(
            "Start after this token, or at beginning, now or last: the consumer's saved token.", valueName: "token"),
        completion: .token)
    var sinceToken: String?

    @Option(
        "--consumer <name>",
        "Resume from the saved token of this consumer and advance it; implies --since-token (default: default).",
        completion: .consumer)
    var consumer: String?

    @Option(
        "--token-file <path>", "Save the token in this file instead of in the cache. The file is replaced atomically.",
        completion: .file(), visibility: .hidden)
    var tokenFile: String?

    @Option(
        "-s --since <time>",
        "Show changes made to the cache after this time; with published:TIME, changes that USGS published after it.",
        parsing: .unconditional, completion: .time, transform: HistoryTime.parse)
    var since: HistoryTime?

    @Option(
        "--since-transaction <number>", "Start after the transaction with this number.", parsing: .unconditional,
        completion: .transaction, visibility: .hidden)
    var sinceTransaction: TransactionNumber?

    @Option(
        "--on-expired <remedy>",
        """
        What to do if the token is no longer valid: output every quake again (resync), or exit with status 3 (fail; \
        default with --exec-each, unless a backup was restored).
        """, visibility: .hidden)
    var onExpired: Remedy?

    /// What to do when the token is no longer valid. A command that runs for each change must not run for every quake.
    func remedy(_ delivery: DeliveryOptions) -> Remedy { onExpired ?? (delivery.eachCommand == nil ? .resync : .fail) }

    /// Whether it starts where a consumer stopped: `--since-token` without a value, which `--consumer` implies.
    var resumes: Bool { sinceToken == Self.lastToken || (sinceToken == nil && consumer != nil) }
}

/// How changes are delivered, and when the remembered token moves.
struct DeliveryOptions: ParsableArguments {
    @Option(
        "--ack <token>", "Save this token for the consumer and print nothing.", completion: .token, visibility: .hidden)
    var acknowledged: String?

    @Flag("--no-ack", "Do not advance the saved token.", visibility: .hidden) var leavesToken = false
    @Flag("--mark-read", "Advance the saved token even when writing to a terminal.", visibility: .hidden)
    var marksRead = false

    @Option(
        "--exec <command>",
        """
        Pipe the records, if there are any, to this shell command; advance the saved token only if it succeeds. \
        --exec-each runs it for each change.
        """, transform: DeliveryOptions.commandForAll)
    var command: String?

    @Option(
        "--exec-each <command>",
        """
        Run this command for each change, with its values in $QUAKE_TITLE, $QUAKE_ID, $QUAKE_MAG and so on; stop at \
        the first that fails. A new consumer starts with the next change.
        """)
    var eachCommand: String?

    @Flag("--follow", "Keep running and print new changes as they are committed, until interrupted.")
    var follows = false

    @Option(
        "--heartbeat <duration>",
        "With --follow, write a heartbeat record after this long without a record, such as 30s.",
        visibility: .hidden, transform: Duration.parse)
    var heartbeat: Duration?

    @Option(
        "--timeout <duration>", "With --follow, stop after this long, such as 1h.", visibility: .hidden,
        transform: Duration.parse)
    var timeout: Duration?

    /// A command of `--exec`, which gets no variables; `${QUAKE_ID:-0}` has a default for that.
    static func commandForAll(_ text: String) throws -> String {
        guard text.contains(/\$QUAKE_|\$\{QUAKE_\w+\}/) else { return text }
        throw ValidationError("Only --exec-each sets $QUAKE_ID and so on; --exec pipes all changes to one command.")
    }

    /// Whether something other than the default was chosen.
    var isChosen: Bool { acknowledged != nil || command != nil || eachCommand != nil || follows }

    func validate() throws {
        if !follows, heartbeat != nil || timeout != nil {
            throw ValidationError("--heartbeat and --timeout need --follow.")
        }
        if heartbeat == .zero { throw ValidationError("--heartbeat must be longer than 0s.") }
        if [acknowledged != nil, command != nil, eachCommand != nil, follows].count(where: { $0 }) > 1 {
            throw ValidationError("--ack, --exec, --exec-each and --follow cannot be combined.")
        }
        if marksRead, leavesToken { throw ValidationError("--mark-read and --no-ack cannot be combined.") }
        if acknowledged != nil, leavesToken { throw ValidationError("--ack and --no-ack cannot be combined.") }
    }
}

struct ChangeKindOptions: ParsableArguments {
    @Option(
        "--op <op,…>",
        """
        Only these operations (insert, update, delete, enter, leave, undo), or changes that the column WHAT calls so, \
        such as new, late, revised, renamed, retracted or purged.
        """, completion: .operations, transform: OperationWords.parse)
    var operations: OperationWords.Operations?

    @Option(
        "--changed <field,…>",
        """
        Only updates of these fields, or of source, impact or bookkeeping; mag+0.3 and mag-0.3 are magnitudes that \
        went up or down by at least that much. --op adds other operations.
        """, completion: .changedFields, transform: ChangedFieldSet.parse)
    var changed: ChangedFieldSet?

    func restrict(_ descriptor: inout HistoryDescriptor) {
        descriptor.crossings = operations.map { Set($0.keys) } ?? (changed == nil ? [] : Self.updates)
        descriptor.crossingReasons = operations ?? [:]
        descriptor.properties = changed?.properties ?? []
        descriptor.magnitudeSteps = changed?.magnitudeSteps ?? []
    }

    /// What happens to a quake that was known before and still is; with a filter, it may come into view or leave it.
    private static let updates: Set<RelevantChange.Crossing> = [.update, .enter, .leave]
}

/// The operations for `--op`: crossings, or the words that tables have for them and for the reasons of the others.
enum OperationWords {
    typealias Crossing = RelevantChange.Crossing
    /// What happens, and the reasons for which it is asked for.
    typealias Operations = [Crossing: Set<ChangeReason>]

    /// The words that completion offers: those of the records.
    static let offered = Crossing.allCases.map(\.rawValue) + ChangeReason.allCases.map(\.rawValue)

    private static let all = Set(ChangeReason.allCases)
    private static let words: [(name: String, operations: Operations)] =
        Crossing.allCases.map { ($0.rawValue, [$0: all]) }
        + ChangeReason.allCases.map { ($0.rawValue, [.insert: [$0], .update: [$0], .delete: [$0], .undo: [$0]]) }
        + [
            ("entered", [.enter: all]), ("left", [.leave: all]),
            ("deleted", [.delete: all.subtracting([.merged, .purged])]),
        ]

    /// Parses words that are separated by commas, or throws an error that says what is wrong.
    static func parse(_ text: String) throws -> Operations {
        try NameList.names(in: text).reduce(into: [:]) { operations, name in
            let word = try FieldName.find(name, among: words, \.name, what: "operation")
            operations.merge(word.operations) { $0.union($1) }
        }
    }
}

struct RelevanceOptions: ParsableArguments {
    @OptionGroup(title: "Which changes") var kinds: ChangeKindOptions

    @Option("--author <name>", "Only changes by these authors (comma-separated or repeated).", completion: .authors)
    var authors: [String] = []

    @Option("--id <id>", "Only quakes with one of these current or former ids.", completion: .quakeIDs)
    var ids: [String] = []

    @Option(
        "--max-origin-age <age>",
        """
        How late a message is still worth sending, such as 30d: skip quakes that were older than this when they \
        reached the cache, and any with a future origin time.
        """, transform: Duration.parse)
    var maximumOriginAge: Duration?

    /// The history query for these options and `filter`. Throws for an id that no quake ever had.
    func descriptor(filter: QuakeFilter, in context: QuakeContext) throws -> HistoryDescriptor {
        var descriptor = HistoryDescriptor()
        descriptor.filter = filter
        kinds.restrict(&descriptor)
        descriptor.authors = NameList.set(authors)
        descriptor.maximumOriginAge = maximumOriginAge
        let names = NameList.set(ids)
        if !names.isEmpty {
            descriptor.quakeKeys = Set(
                try names.map(\.quakeIDArgument).map { name in
                    guard let key = try context.key(ofID: name) else { throw try context.unknownQuake(name) }
                    return key
                })
        }
        return descriptor
    }
}
