import ArgumentParser
import Foundation
import QuakeTestSupport
import Testing

@testable import QuakeCommands

@Suite("What people type")
struct CommandLineWordsTests {
    @Test(
        "Global options may stand before the command",
        arguments: [
            ("--db x list -q", "list --db x -q"), ("-q refresh all_day", "refresh -q all_day"),
            ("--db=x -v status", "status --db=x -v"), ("-q", "-q"), ("list --db x", "list --db x"),
            ("--min-mag 4 list", "--min-mag 4 list"), ("--db", "--db"),
        ])
    func moved(typed: String, arranged: String) {
        let words = typed.split(separator: " ").map(String.init)
        #expect(CommandLineWords.movingGlobalOptions(words).joined(separator: " ") == arranged)
    }

    @Test(
        "A value may be attached to a short option",
        arguments: [
            ("list -m5 -l2", "list -m 5 -l 2"), ("list -m-1.5", "list -m -1.5"), ("list -s7d", "list -s 7d"),
            ("list -fcsv", "list -f csv"), ("list -m=5", "list -m 5"), ("list -q", "list -q"),
            ("list --ids -l1", "list --ids -l 1"), ("list --count -m5", "list --count -m 5"),
            ("list -m -l2", "list -m -l2"),
            ("list --place -mxx", "list --place -mxx"), ("undo -n42", "undo -n42"),
        ])
    func attached(typed: String, arranged: String) throws {
        let words = typed.split(separator: " ").map(String.init)
        let command = try #require(
            QuakesCommand.configuration.subcommands.first { $0.configuration.commandName == words[0] })
        #expect(CommandLineWords.detachingValues(words, of: command).joined(separator: " ") == arranged)
    }

    @Test(
        "The URL of an event page or a detail feed is an id",
        arguments: [
            ("us7000abcd", "us7000abcd"),
            ("https://earthquake.usgs.gov/earthquakes/eventpage/us7000abcd", "us7000abcd"),
            ("https://earthquake.usgs.gov/earthquakes/eventpage/us7000abcd/executive", "us7000abcd"),
            ("https://earthquake.usgs.gov/earthquakes/feed/v1.0/detail/ci40171319.geojson", "ci40171319"),
            ("https://earthquake.usgs.gov/fdsnws/event/1/query?eventid=ak025abc&format=geojson", "ak025abc"),
            ("https://example.org/us7000abcd", "https://example.org/us7000abcd"),
        ])
    func pages(typed: String, id: String) {
        #expect(typed.quakeIDArgument == id)
    }

    @Test("The overview names every command and fits into a terminal of 24 lines")
    func overview() {
        let lines = HelpText.overview.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 23 && lines.allSatisfy { $0.count <= 86 })
        for command in QuakesCommand.configuration.subcommands {
            let name = command.configuration.commandName ?? ""
            #expect(HelpText.overview.contains(" \(name)"), "\(name)")
        }
    }

    @Test(
        "The help of a command is a screen or two; --help-hidden has the rest",
        arguments: [("list", 60), ("changes", 70)])
    func length(name: String, limit: Int) throws {
        let command = try #require(
            QuakesCommand.configuration.subcommands.first { $0.configuration.commandName == name })
        let help = HelpText.common(command.helpMessage(columns: 80))
        #expect(help.split(separator: "\n", omittingEmptySubsequences: false).count <= limit)
        #expect(help.contains("--min-mag") && !help.contains("--min-felt") && help.contains("quakes help filters"))
        #expect(HelpText.filters.contains("--min-felt") && HelpText.filters.contains("--since"))
    }

    @Test("A command of another program becomes the whole line to type")
    func familiar() {
        #expect(FamiliarName.line("quakes list --place TEXT", with: ["japan"]) == "quakes list --place japan")
        #expect(FamiliarName.line("quakes list --place TEXT", with: []) == "quakes list --place TEXT")
        #expect(FamiliarName.line("quakes summary", with: ["--since", "7d"]) == "quakes summary --since 7d")
    }

    @Test("Every variable of the screen about the environment is in the reference")
    func variables() throws {
        let reference = try String(
            contentsOf: Fixture.projectDirectory.appending(path: "Documentation/commands.md"), encoding: .utf8)
        for name in HelpText.variables.flatMap({ $0.name.components(separatedBy: ", ") }) {
            #expect(reference.contains("`\(name)`"), "\(name)")
        }
    }
}
