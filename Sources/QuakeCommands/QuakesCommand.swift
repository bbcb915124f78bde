public import ArgumentParser
import Glibc

/// The root of the command line.
public struct QuakesCommand: ParsableCommand {
    /// Name, help and subcommands.
    public static let configuration = CommandConfiguration(
        commandName: "quakes",
        abstract: "Keep a faithful local copy of the USGS earthquake feeds, with every change it ever saw.",
        discussion: """
            EXAMPLES:
              quakes refresh                 bring the cache up to date
              quakes list --min-mag 4.5      the larger quakes, the newest first
              quakes changes --since-token   what changed since you last asked
              quakes show us7000abcd         one quake and how it was revised
              quakes status                  how fresh all this is
            """,
        version: Program.version,
        subcommands: [
            RefreshCommand.self, ListCommand.self, ShowCommand.self, ChangesCommand.self, DiffCommand.self,
            PurgeCommand.self, UndoCommand.self, StatusCommand.self, HistoryCommand.self, TokenCommand.self,
            ConsumersCommand.self,
        ])

    /// Needed by the parser.
    public init() {}

    /// Parses the command line, runs the command, and ends the process with its exit status.
    public static func run() {
        StandardStream.ignoreClosedPipeSignal()
        // If our parent left SIGCHLD ignored, nobody could tell how our own children ended.
        signal(SIGCHLD, SIG_DFL)
        main(separatingOptionalValues(CommandLine.arguments.dropFirst()))
    }

    /// `--since-token=TOKEN` as two words. The parser drops the value of an option that may stand without one when another
    /// option follows.
    static func separatingOptionalValues(_ arguments: some Sequence<String>) -> [String] {
        arguments.flatMap { argument in
            argument.hasPrefix("--since-token=")
                ? ["--since-token", String(argument.dropFirst("--since-token=".count))] : [argument]
        }
    }
}

/// What the program calls itself.
enum Program {
    static let version = "0.1.0"
    /// Recorded with every transaction.
    static let name = "quakes \(version)"
    /// Sent to servers.
    static let userAgent = "quakes/\(version) (Linux; local mirror of the earthquake feeds)"
}
