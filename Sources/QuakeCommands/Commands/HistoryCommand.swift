import ArgumentParser
import QuakeModel
import QuakeStore

/// `quakes history`: the transactions that are kept, or one of them with its changes.
struct HistoryCommand: EnvironmentCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "List the transactions of the history, or show one with its changes.",
        discussion: """
            Newest first. Every transaction says who made it, from which document, and what it changed.

            EXAMPLES:
              quakes history --limit 10
              quakes history 42
              quakes history --format json | jq '.[0].sha256'
            """)

    @Argument(help: ArgumentHelp("Show this transaction with its changes.", valueName: "number"))
    var number: Int64?

    @Option(name: .customLong("limit"), help: ArgumentHelp("At most this many transactions.", valueName: "count"))
    var limit: Int?

    @Option(name: .customLong("format"), help: ArgumentHelp("Text to read, or JSON.", valueName: "format"))
    var format: ReportFormat = .text

    @Flag(name: .customLong("epoch"), help: "Times as epoch milliseconds instead of ISO 8601 (JSON only).")
    var usesEpochTime = false

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func validate() throws {
        if let limit, limit < 0 { throw ValidationError("--limit cannot be negative.") }
        if number != nil, limit != nil { throw ValidationError("--limit goes with the list.") }
    }

    func execute(in environment: CommandEnvironment) throws -> ExitStatus {
        let context = try context(in: environment, .reading)
        let writer = ByteWriter(environment.standardOutput)
        let storeID = try context.storeID()
        let report = TransactionReport(
            storeID: storeID, writer: writer, json: JSONWriter(writer, usesEpochTime: usesEpochTime))
        try context.snapshot {
            if let number {
                guard let transaction = try context.transaction(number) else { throw StoreError.noTransaction(number) }
                try report.write(transaction, of: context, format)
            } else {
                try report.write(try context.newestTransactions(limit ?? .max), format)
            }
        }
        try writer.flush()
        return .success
    }
}
