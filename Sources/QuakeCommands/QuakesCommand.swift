public import ArgumentParser
import Glibc
import QuakeStore
import QuakeSystem

/// The root of the command line.
public struct QuakesCommand: ParsableCommand {
    /// The first word of every command line. A command that names it as its super-command is parsed without a look for
    /// the request of a completion script.
    static let name = "quakes"

    /// Name, help and subcommands.
    public static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Mirror the USGS earthquake feeds into a local cache that keeps every revision.",
        discussion: """
            The cache is a single SQLite file. `quakes refresh` updates it; run it often, because changes are detected \
            by comparing snapshots of the feeds. Everything else works offline.

            EXAMPLES:
              quakes refresh                 update the cache
              quakes list --min-mag 4.5      list the larger quakes, newest first
              quakes map --since 7d          map the last seven days
              quakes changes --since-token   show what changed since last time
              quakes show us7000abcd         show one quake and its revisions
              quakes status                  check how current the cache is
            """,
        version: Program.version + "\n\n" + Program.credits,
        subcommands: [
            RefreshCommand.self, WatchCommand.self, BackfillCommand.self, DetailsCommand.self, ListCommand.self,
            MapCommand.self,
            ShowCommand.self, ChangesCommand.self, DiffCommand.self,
            PurgeCommand.self, UndoCommand.self, StatusCommand.self, HistoryCommand.self, TokenCommand.self,
            SummaryCommand.self, ConsumersCommand.self, VerifyCommand.self, BackupCommand.self, RestoreCommand.self,
        ])

    /// Required by ArgumentParser.
    public init() {}

    /// Parses the command line, runs the command, and ends the process with its exit status.
    public static func run() {
        StandardStream.prepareProcess()
        SQLiteLibrary.prepareProcess()
        // If our parent left SIGCHLD ignored, nobody could tell how our own children ended.
        signal(SIGCHLD, SIG_DFL)
        let words = Array(ProgramArguments.words.dropFirst())
        let isCompletion = words.first == "---completion"
        if isCompletion { CompletionRequest.limitTime() }
        // The words of a line that is being typed keep their number: the shell says which of them to complete.
        let arguments = isCompletion ? words : arranged(words)
        if let page = HelpText.page(for: arguments) {
            print(page)
            Glibc.exit(ExitStatus.success.rawValue)
        }
        if let error = unknownCommand(in: arguments) {
            error.print(on: CommandEnvironment.process.standardError)
            Glibc.exit(error.status.rawValue)
        }
        do {
            var command = try command(for: arguments)
            try command.run()
        } catch {
            if let script = CompletionScript(answering: error) {
                print(script.text)
                Glibc.exit(ExitStatus.success.rawValue)
            }
            UsageMessage.exit(with: error)
        }
    }

    /// `words` as ArgumentParser expects them.
    static func arranged(_ words: [String]) -> [String] {
        var words = CommandLineWords.movingGlobalOptions(words)
        // ArgumentParser takes no options after `help`.
        if words.first == "help", words.count == 3, words.last == "--help-hidden" { words.removeFirst() }
        if let named = configuration.subcommands.first(where: { $0.configuration.commandName == words.first }) {
            words = CommandLineWords.detachingValues(words, of: named)
        }
        return CommandLineWords.separatingOptionalValues(words)
    }

    /// The command that `arguments` name, with its options.
    ///
    /// It is parsed by itself first: from the root ArgumentParser builds the arguments of the command twice more, and
    /// those of two requests for a completion script. Only the root knows what to answer to anything
    /// else, such as `--help` or a mistake.
    static func command(for arguments: [String]) throws -> any ParsableCommand {
        let named = configuration.subcommands.first { $0.configuration.commandName == arguments.first }
        if let option = named.flatMap({ CommandLineWords.optionWithEmptyValue(in: arguments, of: $0) }) {
            throw ValidationError("The value of \(option) is empty. Give it one, or leave the option out.")
        }
        if let named, let command = try? named.parseAsRoot(Array(arguments.dropFirst())), type(of: command) == named {
            return command
        }
        return try parseAsRoot(arguments)
    }
}

enum Program {
    static let version = "1.0.0"
    /// Whose data the program carries.
    static let credits = """
        Cities: GeoNames (geonames.org), CC BY 4.0. Coastlines and borders: Natural Earth, public domain.
        Plate boundaries: P. Bird 2003; GeoJSON by H. Ahlenius, Nordpil, ODC-By.
        """
    /// Recorded with every transaction.
    static let name = "quakes \(version)"
    /// Sent to servers.
    static let userAgent = "quakes/\(version) (Linux; local mirror of the earthquake feeds)"
}
