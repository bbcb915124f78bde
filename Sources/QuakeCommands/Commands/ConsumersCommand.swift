import ArgumentParser
import QuakeModel
import QuakeOutput
import QuakeStore

/// `quakes consumers`: lists the readers of the history and what they have not read.
struct ConsumersCommand: EnvironmentCommand {
    static let configuration = CommandConfiguration(
        commandName: "consumers",
        abstract: "List the consumers of the history and what they have not read, or forget one.",
        discussion: """
            The first `quakes changes --since-token --consumer NAME` creates a consumer. History that it has not read \
            is not purged until 30 days after it was last seen.

            EXAMPLES:
              quakes consumers
              quakes consumers --forget alarm
            """)

    @Option(
        name: .customLong("forget"), help: ArgumentHelp("Forget this consumer.", valueName: "name"),
        completion: .consumer)
    var forgotten: String?

    @OptionGroup var reporting: ReportOptions

    @Flag(name: .customLong("epoch"), help: "Write times as epoch milliseconds instead of ISO 8601 (JSON only).")
    var usesEpochTime = false

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func execute(in environment: CommandEnvironment) throws -> ExitStatus {
        if let forgotten {
            let context = try context(in: environment, .writing)
            guard try context.forgetConsumer(named: forgotten) else { throw CommandError.unknownConsumer(forgotten) }
            return .success
        }
        let context = try context(in: environment, .reading)
        let now = environment.now()
        let standings = try context.snapshot {
            try context.consumers().map { try ConsumerStanding($0, in: context, now: now) }
        }
        let pager = global.pager(in: environment, forPeople: reporting.format == .text)
        let writer = pager.writer()
        switch reporting.format {
        case .text:
            let lines = WrappedLines(writer, columns: environment.standardOutput.columnsOfTerminal)
            for standing in standings { lines.append(label: standing.label, standing.words(now: now)) }
        case .json:
            let json = JSONWriter(writer, usesEpochTime: usesEpochTime)
            json.array { for standing in standings { standing.write(json) } }
            try json.endLine()
        }
        try writer.flush()
        try pager.finish()
        return .success
    }
}

/// A consumer and what it has not read.
private struct ConsumerStanding {
    let consumer: HistoryConsumer
    /// Why its token cannot be used; nil if it can.
    let fault: TokenFault?
    /// Transactions and changes it has not read; nil if it will resync.
    let unreadTransactions: Int?
    let unreadChanges: Int?
    let isLive: Bool

    init(_ consumer: HistoryConsumer, in context: QuakeContext, now: Timestamp) throws {
        self.consumer = consumer
        fault = try HistoryToken(consumer.token).map { try context.fault(of: $0) } ?? .foreign
        unreadTransactions = try fault == nil ? context.transactionCount(after: consumer.number) : nil
        unreadChanges = try fault == nil ? context.changeCount(after: consumer.number) : nil
        isLive = consumer.isLive(at: now)
    }

    var label: String { TerminalText.sanitized(consumer.name.padding(to: 18)) }

    func words(now: Timestamp) -> String {
        let unread =
            unreadChanges.map { "\($0) changes in \(unreadTransactions ?? 0) transactions unread" }
            ?? "starts anew (\(fault?.words ?? ""))"
        return unread + ", seen \((now - consumer.seen).words) ago"
            + (isLive ? "" : ", lapsed")
    }

    func write(_ json: JSONWriter) {
        json.object {
            json.member("name", consumer.name)
            json.member("token", consumer.token)
            json.member("state", fault?.rawValue ?? "ok")
            json.member("number", consumer.number)
            json.member("unread_transactions", unreadTransactions)
            json.member("unread_changes", unreadChanges)
            json.member("seen", consumer.seen)
            json.member("live", isLive)
        }
    }
}
