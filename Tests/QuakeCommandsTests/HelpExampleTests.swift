import ArgumentParser
import Testing

@testable import QuakeCommands

struct HelpExampleTests {
    @Test func anExampleStaysOnOneLineSoThatItCanBeCopied() throws {
        for command in QuakesCommand.configuration.subcommands {
            let examples = command.configuration.discussion.split(separator: "\n").filter { $0.hasPrefix("  ") }
            try #require(!examples.isEmpty, "\(command)")
            let lines = QuakesCommand.helpMessage(for: command, columns: 80).split(separator: "\n")
            for example in examples { #expect(lines.contains(example), "\(example)") }
        }
    }
}
