import ArgumentParser
import QuakeStore

struct ConsumersCommand: EnvironmentCommand {
    static let configuration = described(
        "consumers", "List consumers and their unread changes, or forget one.",
        """
        The first `quakes changes --since-token --consumer NAME` creates a consumer. A purge of history that \
        a consumer has not read is refused until 30 days after the consumer's last successful call.

        EXAMPLES:
          quakes consumers
          quakes consumers --forget alarm
        """)

    @Option("--forget <name>", "Forget this consumer and its saved token.")
    var forgotten: String?

    @OptionGroup var reporting: TableOptions

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func execute(in environment: CommandEnvironment) throws -> ExitStatus {
        if let forgotten {
            let context = try context(in: environment, .writing)
            guard try context.history.forgetConsumer(named: forgotten) else {
                throw CommandError(
                    "There is no consumer \"\(forgotten)\".", "`quakes consumers` lists them all.", .noRows)
            }
            if environment.standardOutput.isTerminal { global.remark("forgot \(forgotten)", in: environment) }
            return .success
        }
        let context = try context(in: environment, .reading)
        let now = environment.now()
        let style = OutputStyle(environment, global)
        let standings = try context.snapshot {
            try context.history.consumers().map { try ConsumerStanding($0, in: context, now: now) }
        }
        let writer = environment.writer(forPeople: reporting.format == .text)
        switch reporting.format {
        case .text:
            if !standings.isEmpty {
                TextTable.write(standings, in: ConsumerStanding.textColumns(now: now), writer, style)
            } else if environment.standardOutput.isTerminal, !global.isQuiet {
                writer.append("no consumers\n")
            }
        case .json:
            try JSONWriter().line(standings.map(\.record), to: writer)
        case .csv:
            DelimitedRows(writer, columns: ConsumerStanding.columns, style).append(standings.map(\.record))
        }
        try writer.flush()
        return .success
    }
}

/// A consumer and its unread history.
struct ConsumerStanding {
    let consumer: HistoryConsumer
    /// The reason the consumer's token cannot be used; nil if it can.
    let fault: TokenFault?
    /// The numbers of unread transactions and changes; nil if the consumer will resync.
    let unreadTransactions: Int?
    let unreadChanges: Int?
    let isActive: Bool

    init(_ consumer: HistoryConsumer, in context: QuakeContext, now: Timestamp) throws {
        self.consumer = consumer
        fault = try consumer.token.map { try context.history.fault(of: $0) } ?? .foreign
        let unread = try fault == nil ? context.history.counts(after: consumer.number) : nil
        (unreadTransactions, unreadChanges) = (unread?.transactions, unread?.changes)
        isActive = consumer.isActive(at: now)
    }

    static let columns = [
        "name", "token", "state", "read_through", "unread_transactions", "unread_changes", "last_read", "active",
    ]

    /// `ok`, or the reason the token cannot be used.
    var state: String { fault?.rawValue ?? "ok" }

    static func textColumns(now: Timestamp) -> [TextColumn<Self>] {
        [
            TextColumn("NAME", 16, least: 12) { $0.consumer.name },
            TextColumn("UNREAD", 32, least: 16) { standing in
                standing.unreadChanges.map {
                    "\($0.counted("change")) in \((standing.unreadTransactions ?? 0).counted("transaction"))"
                } ?? "invalid token (\(standing.state))"
            },
            TextColumn("LAST READ") {
                $0.consumer.lastRead.age(at: max(now, $0.consumer.lastRead)) + ($0.isActive ? "" : ", inactive")
            },
        ]
    }

    var record: Record {
        [
            "name": consumer.name, "token": consumer.tokenText, "state": state,
            "read_through": consumer.number, "unread_transactions": unreadTransactions,
            "unread_changes": unreadChanges, "last_read": consumer.lastRead, "active": isActive,
        ]
    }
}
