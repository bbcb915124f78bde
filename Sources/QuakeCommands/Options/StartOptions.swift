import ArgumentParser
import QuakeModel

/// Options that say where `changes` starts and where its token is saved.
struct StartOptions: ParsableArguments {
    /// What to do if a token cannot be used.
    enum ExpiredAction: String, WordArgument {
        case resync, fail
    }

    /// The value that stands for the saved token: `--since-token` has it if given without a value.
    static let lastToken = "last"

    @Option(
        name: .customLong("since-token"), defaultAsFlag: lastToken, parsing: .next,
        help: ArgumentHelp(
            """
            Start after this token, or at `beginning` or `now`. Without a value (or with `last`), start after the \
            consumer's saved token, and advance it.
            """, valueName: "token"),
        completion: .token, transform: { $0.lowercased() == StartOptions.lastToken ? StartOptions.lastToken : $0 })
    var sinceToken: String?

    @Option(
        "--consumer <name>",
        """
        Start after the saved token of this consumer, and advance it; a new consumer starts at the beginning or, with \
        --exec-each, now.
        """)
    var consumer: String?

    @Option(
        "--token-file <path>", "Save the token in this file instead of in the cache. The file is replaced atomically.",
        completion: .file(), visibility: .hidden)
    var tokenFile: String?

    @Option(
        "-s --since <time>",
        "Only changes recorded in the cache after this time; with published:TIME, those that USGS published after it.",
        parsing: .unconditional, completion: .time, transform: HistoryTime.parse)
    var since: HistoryTime?

    @Option(
        "--since-transaction <number>", "Start after the transaction with this number.", parsing: .unconditional,
        visibility: .hidden, transform: TransactionNumber.parse)
    var sinceTransaction: TransactionNumber?

    @Option(
        "--on-expired <action>",
        """
        What to do if the token cannot be used: deliver every quake again (resync) or exit with status 3 (fail). The \
        default is resync; with --exec-each, it is fail, but after a restore, a consumer continues with the next change.
        """)
    var onExpired: ExpiredAction?

    /// Whether to resume from the saved position: `--since-token` has no value, or only `--consumer` is given.
    var resumes: Bool { sinceToken == Self.lastToken || (sinceToken == nil && consumer != nil) }
}
