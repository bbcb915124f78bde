import ArgumentParser
import QuakeStore

/// Options for the position from which `changes` starts and for saving its token.
struct StartOptions: ParsableArguments {
    /// The action if a token cannot be used.
    enum Remedy: String, CaseIterable, ExpressibleByArgument {
        case resync, fail
    }

    /// The value of `--since-token` if none is given: the consumer's saved token.
    static let lastToken = "last"

    @Option(
        name: .customLong("since-token"), defaultAsFlag: lastToken, parsing: .next,
        help: ArgumentHelp(
            """
            Start after this token, or at `beginning`, `now` or `last`. The default value, `last`, is the consumer's \
            saved token.
            """, valueName: "token"),
        completion: .token)
    var sinceToken: String?

    @Option(
        "--consumer <name>",
        """
        Resume from the saved token of this consumer and advance it; implies --since-token (the default consumer is \
        named "default").
        """)
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
        visibility: .hidden)
    var sinceTransaction: TransactionNumber?

    @Option(
        "--on-expired <action>",
        """
        What to do if the token cannot be used: print every quake again (resync) or exit with status 3 (fail). The \
        default is resync; with --exec-each it is fail, except after a restore.
        """, visibility: .hidden)
    var onExpired: Remedy?

    /// Returns the action for an invalid token. By default, a command that runs for each change does not run for every
    /// quake.
    func remedy(_ delivery: DeliveryOptions) -> Remedy { onExpired ?? (delivery.eachCommand == nil ? .resync : .fail) }

    /// Whether to resume from a consumer's position: `--since-token` has no value, or only `--consumer` is given.
    var resumes: Bool { sinceToken == Self.lastToken || (sinceToken == nil && consumer != nil) }
}

/// Options for how changes are delivered and when the saved token advances.
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
        To run a command for each change, use --exec-each instead.
        """, transform: DeliveryOptions.commandForAll)
    var command: String?

    @Option(
        "--exec-each <command>",
        """
        Run this command for each change, with its values in $QUAKE_TITLE, $QUAKE_ID, $QUAKE_MAG and so on; stop at \
        the first that fails. A new consumer starts with the next change.
        """, transform: DeliveryOptions.command)
    var eachCommand: String?

    @Flag("--follow", "Keep running and print new changes as they are committed, until interrupted.")
    var follows = false

    @Option(
        "--heartbeat <duration>",
        "With --follow, write a heartbeat record when nothing has been written for this long, such as 30s.",
        visibility: .hidden, transform: Duration.parse)
    var heartbeat: Duration?

    @Option(
        "--timeout <duration>", "With --follow, stop after this long, such as 1h.", visibility: .hidden,
        transform: Duration.parse)
    var timeout: Duration?

    /// Returns the command for `--exec-each`. Throws if it is blank, because a blank command succeeds in a shell.
    static func command(_ text: String) throws -> String {
        guard !text.isBlank else { throw ValidationError("The command is empty. Give one, or omit the option.") }
        return text
    }

    /// Returns the command for `--exec`. Throws if it is blank, or uses the variables for a single change, which only
    /// `--exec-each` sets. A variable with a default, such as `${QUAKE_ID:-0}`, is accepted.
    static func commandForAll(_ text: String) throws -> String {
        guard try command(text).contains(/\$QUAKE_|\$\{QUAKE_\w+\}/) else { return text }
        throw ValidationError("Only --exec-each sets $QUAKE_ID and so on; --exec pipes all changes to one command.")
    }

    /// Whether any delivery option was given.
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
        Only these operations (insert, update, delete, enter, leave, undo), or words of the WHAT column, such as new \
        (every quake seen for the first time, even if late), late, revised, renamed, retracted or purged.
        """, completion: .operations, transform: OperationWords.parse)
    var operations: OperationWords.Operations?

    @Option(
        "--changed <field,…>",
        """
        Only updates that changed one of these fields; source, impact and bookkeeping are groups of fields; mag+0.3 \
        and mag-0.3 select magnitudes that rose or fell by at least that much. Add --op to include inserts \
        and deletions.
        """, completion: .changedFields, transform: ChangedFieldSet.parse)
    var changed: ChangedFieldSet?

    func restrict(_ descriptor: inout HistoryDescriptor) {
        descriptor.operations = operations.map { Set($0.keys) } ?? (changed == nil ? [] : Self.updates)
        descriptor.operationReasons = operations ?? [:]
        descriptor.changedProperties = changed?.properties ?? []
        descriptor.magnitudeSteps = changed?.magnitudeSteps ?? []
    }

    /// The effects, as a filter sees them, of a change to a quake that exists both before and after the change.
    private static let updates: Set<RelevantChange.Operation> = [.update, .enter, .leave]
}

/// The words for `--op`: operations (effects as a filter sees them), reasons for changes, and the words in tables.
enum OperationWords {
    typealias Operation = RelevantChange.Operation
    /// The requested operations, each with its accepted reasons.
    typealias Operations = [Operation: Set<ChangeReason>]

    /// The words that completion offers, which are the same as in records.
    static let offered = Operation.allCases.map(\.rawValue) + ChangeReason.allCases.map(\.rawValue)

    private static let all = Set(ChangeReason.allCases)
    private static let words: [(name: String, operations: Operations)] =
        Operation.allCases.map { ($0.rawValue, [$0: all]) }
        + ChangeReason.allCases.filter { $0 != .new }.map {
            ($0.rawValue, [.insert: [$0], .update: [$0], .delete: [$0], .undo: [$0]])
        }
        + [
            // Whoever asks for new quakes means every quake seen for the first time, even if that was late.
            (ChangeReason.new.rawValue, [.insert: [.new, .late]]),
            ("entered", [.enter: all]), ("left", [.leave: all]),
            ("deleted", [.delete: all.subtracting([.merged, .purged])]),
        ]

    /// Parses comma-separated words, or throws an error that explains what is wrong.
    static func parse(_ text: String) throws -> Operations {
        try NameList.names(in: text).reduce(into: [:]) { operations, name in
            let word = try FieldName.find(name, among: words, \.name, what: "operation")
            operations.merge(word.operations) { $0.union($1) }
        }
    }
}

struct RelevanceOptions: ParsableArguments {
    @OptionGroup(title: "Which changes") var kinds: ChangeKindOptions

    @Option(
        "--author <name>", "Only changes by these authors (comma-separated or repeated).",
        transform: { $0 })
    var authors: [String] = []

    @Option("--id <id>", "Only quakes with one of these current or former ids.", transform: { $0 })
    var ids: [String] = []

    @Option(
        "--max-origin-age <age>",
        """
        Skip an insert or enter if the quake was already older than this (such as 30d) when the change reached the \
        cache, or if its origin time lies in the future. Other changes are never skipped.
        """, transform: Duration.parse)
    var maximumOriginAge: Duration?

    /// Returns a remark on the ids that no quake in the cache ever had; nil if there are none.
    func unknownIDs(in context: QuakeContext?) throws -> String? {
        let unknown = try NameList.set(ids).sorted().filter { try context?.key(ofID: $0.quakeIDArgument) == nil }
        guard !unknown.isEmpty else { return nil }
        return "no quake in the cache has the current or former id "
            + TerminalText.sanitized(unknown.joined(separator: " or "))
    }

    /// Returns the history query for these options and `filter`.
    func descriptor(filter: QuakeFilter, in context: QuakeContext) throws -> HistoryDescriptor {
        var descriptor = HistoryDescriptor()
        descriptor.filter = filter
        kinds.restrict(&descriptor)
        descriptor.authors = NameList.set(authors)
        descriptor.maximumOriginAge = maximumOriginAge
        let names = NameList.set(ids)
        if !names.isEmpty {
            descriptor.quakeKeys = Set(
                try names.map(\.quakeIDArgument).compactMap { try context.key(ofID: $0) })
        }
        return descriptor
    }
}
