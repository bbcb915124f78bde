import ArgumentParser
import QuakeFormats
import QuakeStore

struct ConsumersCommand: QuakesSubcommand {
    static let configuration = described(
        "consumers", "List consumers (named readers) and their unread changes, or forget one.",
        """
        A consumer is a named reader of the changes, with its own saved token: a position in the history. The first \
        `quakes changes --consumer NAME` creates it. A purge of history that a consumer has not read is refused until \
        30 days after the consumer last read successfully.

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
            // The reader would lose the changes that it has yet to deliver.
            let lock = ReaderLock(ReadPosition(.consumer(forgotten)), cacheAt: context.cache.path)
            try lock.take()
            defer { lock.release() }
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
            try context.history.consumers().map { try ConsumerStatus($0, in: context, now: now) }
        }
        let writer = environment.writer(forPeople: reporting.format == .text)
        switch reporting.format {
        case .text:
            if !standings.isEmpty {
                TextTable.write(standings, in: ConsumerStatus.textColumns(now: now), writer, style)
            } else if environment.standardOutput.isTerminal, !global.isQuiet {
                writer.append("no consumers\n")
            }
        case .json:
            try JSONWriter().line(standings.map(\.record), to: writer)
        case .csv:
            DelimitedRows(writer, columns: ConsumerStatus.columns, style).append(standings.map(\.record))
        }
        try writer.flush()
        return .success
    }
}
