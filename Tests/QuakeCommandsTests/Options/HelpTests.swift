import ArgumentParser
import QuakeModel
import Testing

@testable import QuakeCommands

@Suite("What people type") struct HelpTests {
    @Test(
        "A value may be attached to a short option",
        arguments: [["-m5", "-l2"], ["-m", "5", "-l2"], ["-m=5", "-l", "2"], ["--ids", "-m5", "-l=2"]])
    func attached(words: [String]) throws {
        let command = try #require(try QuakesCommand.command(for: ["list"] + words) as? ListCommand)
        #expect(command.filters.filter.minimumMagnitude == 5 && command.limit == 2)
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

    @Test("Rare options are in the full help only") func rare() {
        let help = [false, true].map { ListCommand.helpMessage(includeHidden: $0) }
        #expect(help.map { $0.contains("--fail-empty") } == [false, true])
        #expect(help.allSatisfy { $0.contains("--min-felt") })
    }

    @Test func anExampleStaysOnOneLineSoThatItCanBeCopied() throws {
        for command in QuakesCommand.configuration.subcommands {
            let examples = command.configuration.discussion.split(separator: "\n").filter { $0.hasPrefix("  ") }
            try #require(!examples.isEmpty, "\(command)")
            let lines = QuakesCommand.helpMessage(for: command, columns: 80).split(separator: "\n")
            for example in examples { #expect(lines.contains(example), "\(example)") }
        }
    }
}
