import ArgumentParser
import Foundation
import QuakeTestSupport
import Testing

@testable import QuakeCommands

@Suite("Options with an optional value", .computing) struct OptionalValueTests {
    @Test("--since-token uses the token given after a space or =, or else the saved token") func values() throws {
        let token = "q1.a.1.00000000"
        for (words, value) in [
            (["--since-token=\(token)", "--op", "insert"], token), (["--since-token", token], token),
            (["--since-token"], StartOptions.lastToken),
            (["--since-token", "--format", "json"], StartOptions.lastToken),
        ] {
            let command = try #require(try QuakesCommand.command(for: ["changes"] + words) as? ChangesCommand)
            #expect(command.start.sinceToken == value, "\(words)")
        }
    }

    /// The parts of ArgumentParser's command descriptions that name options.
    private struct Dump: Decodable { let command: Described }
    private struct Described: Decodable {
        struct Argument: Decodable {
            let kind: String
            let names: [[String: String]]?
        }

        let commandName: String
        let arguments: [Argument]?
        let subcommands: [Described]?
    }

    @Test("Every option rejects an empty value with an error that names the option") func emptyValues() throws {
        let dump = try JSONDecoder().decode(Dump.self, from: Data(QuakesCommand._dumpHelp().utf8))
        for command in dump.command.subcommands ?? [] {
            for names in (command.arguments ?? []).filter({ $0.kind == "option" }).compactMap(\.names) {
                for name in names.map({ ($0["kind"] == "short" ? "-" : "--") + ($0["name"] ?? "") }) {
                    for words in [["\(name)=", "all_day"], [name, ""], ["\(name)="]] {
                        let error = #expect(throws: (any Error).self, "\(command.commandName) \(words)") {
                            try QuakesCommand.command(for: [command.commandName] + words)
                        }
                        guard let error else { continue }
                        #expect(QuakesCommand.exitCode(for: error) == .validationFailure)
                        #expect(
                            UsageMessage.text(for: error, in: words).hasPrefix("quakes: The value of \(name) is empty.")
                        )
                    }
                }
            }
        }
    }
}
