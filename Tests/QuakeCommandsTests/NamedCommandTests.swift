import ArgumentParser
import Testing

@testable import QuakeCommands

@Suite("Parsing a single command") struct NamedCommandTests {
    /// Returns the command and its options, or the exit status and everything printed.
    private func outcome(_ parse: () throws -> any ParsableCommand) -> String {
        do {
            var command = try parse()
            // Help is a command that prints it when run.
            guard command is any QuakesSubcommand else {
                try command.run()
                return "nothing"
            }
            return "\(command)"
        } catch {
            return "\(QuakesCommand.exitCode(for: error)) \(QuakesCommand.fullMessage(for: error, columns: 80))"
        }
    }

    @Test(
        "A parser that knows only the typed subcommand gives the same result as one that knows all",
        arguments: [
            ["list"], ["list", "--limit", "1", "--db", "x.db"], ["list", "--min-mag", "-1", "--type", "rock burst"],
            ["refresh", "all_day"], ["refresh", "list"], ["show", "us7000abcd", "us7000abce"], ["show", "--", "-x"],
            ["list", "--help"], ["list", "-h"], ["help", "list"], ["help"], ["--help"], [], ["list", "help"],
            ["list", "--version"], ["--version"], ["list", "--generate-completion-script", "bash"],
            ["--generate-completion-script", "zsh"], ["list", "--generate-completion-script"],
            ["list", "--limit"], ["list", "--limit", "x"], ["list", "--limit", "-3"], ["list", "--limit=2", "extra"],
            ["list", "--unknown"], ["list", "--since-token", "x"], ["list", "list"], ["show"], ["undo", "us7000abcd"],
            ["list", "--experimental-dump-help"],
            ["list", "--count", "--ids"], ["changes", "--timeout", "1h"], ["backfill", "--max-requests", "1"],
            ["list", "--min-mag", "5", "--max-mag", "4"], ["list", "-l1"], ["list", "-f", "csv", "-l", "2"],
        ])
    func sameOutcome(arguments: [String]) {
        #expect(
            outcome { try QuakesCommand.command(for: arguments) }
                == outcome { try QuakesCommand.parseAsRoot(arguments) })
    }

    @Test("The configuration of each subcommand names \"quakes\" as the parent command") func parentCommand() {
        for command in QuakesCommand.configuration.subcommands {
            #expect(command.configuration._superCommandName == Program.command)
        }
    }
}
