import ArgumentParser
import QuakeModel
import QuakeStore

/// `quakes undo`: takes the last purge, or a named transaction, back.
struct UndoCommand: EnvironmentCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Take the last purge of quakes back, or a named transaction.",
        discussion: """
            What the transaction changed gets the values before it, as a transaction of its own: history keeps both. \
            That works as long as its quakes are as it left them, and the transaction is still in the history. To \
            redo, undo the undo by its number.

            A feed knows nothing of it: the next refresh brings what the feed lists.

            EXAMPLES:
              quakes undo --dry-run
              quakes undo
              quakes undo 42
            """)

    @Argument(
        help: ArgumentHelp(
            "The number of a transaction (default: the last purge of quakes).", valueName: "transaction"))
    var number: Int64?

    @Flag(name: [.customLong("dry-run"), .customShort("n")], help: "Say what would change and write nothing.")
    var dryRun = false

    @Option(
        name: .customLong("format"),
        help: ArgumentHelp("How to write the report: a line, or JSON.", valueName: "format"))
    var format: ReportFormat = .text

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func execute(in environment: CommandEnvironment) throws -> ExitStatus {
        let context = try context(in: environment, .writing, author: "quakes.undo")
        guard let number = try number ?? context.lastPurge()?.number else { throw CommandError.noPurge }
        let (count, transaction) = try context.undo(transaction: number, dryRun: dryRun)
        let writer = ByteWriter(environment.standardOutput)
        switch format {
        case .text:
            let verb = dryRun ? "would take back" : "took back"
            let entry = dryRun ? "" : transaction.map { ", as transaction \($0.number)" } ?? ""
            if !global.isQuiet { writer.append("\(verb) transaction \(number): \(count) quakes\(entry)\n") }
        case .json:
            let json = JSONWriter(writer)
            let token = try context.head()
            json.object {
                json.member("dry_run", dryRun)
                json.member("undone", number)
                json.member("quakes", count)
                json.member("transaction", dryRun ? nil : transaction?.number)
                json.member("token", token.description)
            }
            try json.endLine()
        }
        try writer.flush()
        return .success
    }
}
