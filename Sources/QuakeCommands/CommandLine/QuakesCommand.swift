public import ArgumentParser
import Glibc
import QuakeStore
import QuakeSystem

public struct QuakesCommand: ParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: Program.command,
        abstract: "Mirror the USGS earthquake feeds into a local cache that keeps every revision it has seen.",
        discussion: """
            The cache is a single SQLite file, by default ~/.local/share/quakes/quakes.db. `quakes refresh` updates \
            it; run it often, because changes are found by comparing the cache with each new copy (snapshot) of a \
            feed. `watch`, `backfill` and `details` also use the network; all other commands work offline.

            `quakes COMMAND --help-hidden` also lists rare options; `man quakes` is the full manual.

            EXAMPLES:
              quakes refresh                 update the cache
              quakes list --min-mag 4.5      list the larger quakes, newest first
              quakes map --since 7d          map the last seven days
              quakes changes --since 24h     list what changed in the last 24 hours
              quakes show us7000abcd         show one quake and its revisions
              quakes status                  check how current the cache is
            """,
        version: Program.version + "\n\n" + Program.credits,
        groupedSubcommands: [
            CommandGroup(
                name: "Query",
                subcommands: [
                    ListCommand.self, ShowCommand.self, MapCommand.self, SummaryCommand.self, ChangesCommand.self,
                    DiffCommand.self,
                ]),
            CommandGroup(
                name: "Update",
                subcommands: [RefreshCommand.self, WatchCommand.self, BackfillCommand.self, DetailsCommand.self]),
            CommandGroup(
                name: "History",
                subcommands: [HistoryCommand.self, TokenCommand.self, ConsumersCommand.self, UndoCommand.self]),
            CommandGroup(
                name: "Maintenance",
                subcommands: [
                    StatusCommand.self, VerifyCommand.self, BackupCommand.self, RestoreCommand.self, PurgeCommand.self,
                ]),
        ])

    /// Required by ArgumentParser.
    public init() {}

    /// Parses the command line, runs the command, and ends the process with its exit status.
    public static func run() {
        StandardStream.prepareProcess()
        SQLiteLibrary.prepareProcess()
        // If the parent process ignores SIGCHLD, this process inherits the setting and could not get the exit statuses
        // of its own children.
        signal(SIGCHLD, SIG_DFL)
        // Swift reads the arguments from /proc, so there are none if /proc is not mounted.
        guard !CommandLine.arguments.isEmpty else {
            CommandEnvironment.process.standardError.writeLine("quakes: The command line cannot be read from /proc.")
            Glibc.exit(ExitStatus.failure.rawValue)
        }
        let words = Array(CommandLine.arguments.dropFirst())
        // ArgumentParser would first build the arguments of two requests for completion scripts.
        guard words != ["--version"] else {
            print(configuration.version)
            return
        }
        do {
            if let complaint = InvalidText.complaint { throw ValidationError(complaint) }
            var command = try command(for: words)
            try command.run()
        } catch { UsageMessage.exit(with: error, in: words) }
    }

    static func named(_ name: String) -> (any ParsableCommand.Type)? {
        configuration.subcommands.first { $0.configuration.commandName == name }
    }

    /// Returns the command in `words`, with its options. If `words` cannot be parsed, replaces names from other
    /// programs.
    ///
    /// A command is parsed on its own if possible, which is faster: from the root command, ArgumentParser builds the
    /// arguments of the command two more times, and also the arguments of two requests for completion scripts. Other
    /// command lines, such as those with `--help` or a mistake, must be parsed from the root.
    static func command(for words: [String]) throws -> any ParsableCommand {
        if let option = optionWithEmptyValue(in: words) {
            throw ValidationError("The value of \(option) is empty. Give the option a value, or omit it.")
        }
        if let command = try parsedAlone(words) { return command }
        let replaced = try ForeignNameReplacer.replaced(in: words)
        if let command = try parsedAlone(replaced) { return command }
        try requireCommand(in: replaced)
        return try parseAsRoot(replaced)
    }

    /// Returns the command in `words`, parsed on its own; nil if that fails.
    private static func parsedAlone(_ words: [String]) throws -> (any ParsableCommand)? {
        guard let named = words.first.flatMap(named) else { return nil }
        try RepeatedOption.reject(in: words.dropFirst(), of: named)
        guard let command = try? named.parseAsRoot(Array(words.dropFirst())), type(of: command) == named else {
            return nil
        }
        return command
    }

    /// Throws if the first word, or the word after `help`, is not a command. ArgumentParser does not check this if
    /// `--help` follows.
    private static func requireCommand(in words: [String]) throws {
        let names = words.first == "help" ? words.dropFirst() : words[...]
        guard let name = names.first, !name.hasPrefix("-"), name != "help", named(name) == nil else { return }
        if let sentence = ForeignNameAdvice.commands[name[...]] { throw CommandError(sentence, nil, .usage) }
        let nearest = name.nearest(among: configuration.subcommands.compactMap { $0.configuration.commandName })
        throw CommandError(
            "There is no command \(name.shownWord).",
            nearest.map { "Did you mean `quakes \($0)`?" } ?? "`quakes help` lists the commands.", .usage)
    }

    /// Returns the first option in `words` with an empty value; nil if there is none. ArgumentParser would take the
    /// word after `--db=` as the value.
    private static func optionWithEmptyValue(in words: [String]) -> String? {
        let words = words.prefix { $0 != "--" }
        return zip(words, words.dropFirst() + ["--"]).lazy.filter { $0.0.hasPrefix("-") }.compactMap { word, next in
            next.isEmpty ? word : word.hasSuffix("=") ? String(word.dropLast()) : nil
        }.first
    }
}
