import ArgumentParser
import QuakeModel
import Testing

@testable import QuakeCommands

@Suite("Help and arguments") struct HelpTests {
    @Test(
        "A value may follow a short option without a space, as in -m5",
        arguments: [["-m5", "-l2"], ["-m", "5", "-l2"], ["-m=5", "-l", "2"], ["--ids", "-m5", "-l=2"]])
    func attachedValues(words: [String]) throws {
        let command = try #require(try QuakesCommand.command(for: ["list"] + words) as? ListCommand)
        #expect(command.filters.filter.minimumMagnitude == 5 && command.limit == 2)
    }

    @Test(
        "The URL of a quake's event page or detail feed is accepted in place of its id",
        arguments: [
            ("us7000abcd", "us7000abcd"),
            ("https://earthquake.usgs.gov/earthquakes/eventpage/us7000abcd", "us7000abcd"),
            ("https://earthquake.usgs.gov/earthquakes/eventpage/us7000abcd/executive", "us7000abcd"),
            ("https://earthquake.usgs.gov/earthquakes/feed/v1.0/detail/ci40171319.geojson", "ci40171319"),
            ("https://earthquake.usgs.gov/fdsnws/event/1/query?eventid=ak025abc&format=geojson", "ak025abc"),
            ("https://example.org/us7000abcd", "https://example.org/us7000abcd"),
        ])
    func eventURLs(typed: String, id: String) {
        #expect(typed.quakeIDArgument == id)
    }

    @Test("Rarely used options, such as --fail-empty, appear only in the full help") func rareOptions() {
        let help = [false, true].map { ListCommand.helpMessage(includeHidden: $0) }
        #expect(help.map { $0.contains("--fail-empty") } == [false, true])
        #expect(help.allSatisfy { $0.contains("--min-felt") })
    }

    @Test("An example in the help stays on one line at 80 columns") func examplesStayOnOneLine() throws {
        for command in QuakesCommand.configuration.subcommands {
            let examples = command.configuration.discussion.split(separator: "\n").filter { $0.hasPrefix("  ") }
            try #require(!examples.isEmpty, "\(command)")
            let lines = QuakesCommand.helpMessage(for: command, columns: 80).split(separator: "\n")
            for example in examples { #expect(lines.contains(example), "\(example)") }
        }
    }

    @Test("The help of a command shows its own options first, and the global ones last") func orderOfSections() throws {
        for command in QuakesCommand.configuration.subcommands {
            let help = HelpText.ordered(QuakesCommand.helpMessage(for: command, columns: 80))
            let titles = help.matches(of: /\n\n([A-Z ]+):\n/).map(\.output.1).filter {
                !["EXAMPLES", "ARGUMENTS"].contains($0)
            }
            #expect(titles.first == "OPTIONS" && titles.last == "GLOBAL OPTIONS", "\(titles)")
            let lines = QuakesCommand.helpMessage(for: command, columns: 80).split(separator: "\n")
            #expect(Set(help.split(separator: "\n")) == Set(lines) && !help.contains("\n\n\n"))
        }
    }
}
