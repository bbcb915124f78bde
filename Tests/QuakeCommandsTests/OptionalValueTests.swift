import ArgumentParser
import Foundation
import Testing

@testable import QuakeCommands

@Suite("An option that may stand without a value")
struct OptionalValueTests {
    @Test("A token behind an equals sign is the token, whatever follows")
    func equalsSign() throws {
        let words = CommandLineWords.separatingOptionalValues([
            "changes", "--since-token=q1.a.1.00000000", "--op", "insert",
        ])
        let command = try #require(try QuakesCommand.parseAsRoot(words) as? ChangesCommand)
        #expect(command.start.sinceToken == "q1.a.1.00000000")
    }

    @Test("Nothing behind it means the last token, an empty word means no token")
    func bareAndEmpty() throws {
        let bare = try #require(
            try QuakesCommand.parseAsRoot(CommandLineWords.separatingOptionalValues(["changes", "--since-token"]))
                as? ChangesCommand)
        #expect(bare.start.sinceToken == StartOptions.lastToken)
        let followed = CommandLineWords.separatingOptionalValues(["changes", "--since-token", "--format", "json"])
        let command = try #require(try QuakesCommand.parseAsRoot(followed) as? ChangesCommand)
        #expect(command.start.sinceToken == StartOptions.lastToken && command.chosenFormat == .json)
        let empty = try #require(try QuakesCommand.parseAsRoot(["changes", "--since-token", ""]) as? ChangesCommand)
        #expect(empty.start.sinceToken?.isEmpty == true)
    }

    /// The parts of ArgumentParser's description of its commands that name options.
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

    @Test("An empty value is refused by the name of its option, whatever follows it, for every option")
    func emptyValues() throws {
        let dump = try JSONDecoder().decode(Dump.self, from: Data(QuakesCommand._dumpHelp().utf8))
        for command in dump.command.subcommands ?? [] {
            for names in (command.arguments ?? []).filter({ $0.kind == "option" }).compactMap(\.names) {
                for name in names.map({ ($0["kind"] == "short" ? "-" : "--") + ($0["name"] ?? "") }) {
                    for words in [["\(name)=", "all_day"], [name, ""], ["\(name)="]] {
                        let error = #expect(throws: (any Error).self, "\(command.commandName) \(words)") {
                            try QuakesCommand.command(for: QuakesCommand.arranged([command.commandName] + words))
                        }
                        guard let error else { continue }
                        #expect(QuakesCommand.exitCode(for: error) == .validationFailure)
                        #expect(UsageMessage.text(for: error).hasPrefix("quakes: The value of \(name) is empty."))
                    }
                }
            }
        }
    }
}
