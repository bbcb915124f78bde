import ArgumentParser
import Testing

@testable import QuakeCommands

/// Every option of every command, as ArgumentParser describes them.
@Suite("Options given twice") struct RepeatedOptionTests {
    private static let commands = QuakesCommand.configuration.subcommands.compactMap {
        $0.configuration.commandName
    }

    private func message(_ words: [String]) -> String? {
        do {
            _ = try QuakesCommand.command(for: words)
            return nil
        } catch { return QuakesCommand.message(for: error) }
    }

    @Test("An option that is not repeatable is rejected if it is given two different values", arguments: commands)
    func everyOption(command: String) throws {
        let type = try #require(QuakesCommand.named(command))
        let options = try CommandDescription(type).arguments.filter { $0.kind == "option" }
        #expect(options.contains { $0.name == "--db" })
        for option in options {
            for name in (option.names ?? []).map(\.word) {
                for words in [[name, "1", option.name, "2"], [name + (name.hasPrefix("--") ? "=1" : "1"), name, "2"]] {
                    let message = message([command] + words) ?? ""
                    #expect(
                        message.contains("\(option.name) is given twice, with 1 and 2") != option.isRepeating,
                        "\(command) \(words): \(message)")
                }
                let same = message([command, name, "1", name, "1"]) ?? ""
                #expect(!same.contains("given twice"), "\(command) \(name): \(same)")
            }
        }
    }

    @Test("In quakes list, only --near, --bbox and filters by text, such as --net, may be repeated")
    func repeatableOptions()
        throws
    {
        let names = try CommandDescription(ListCommand.self).arguments.filter(\.isRepeating).map(\.name)
        #expect(
            Set(names) == [
                "--near", "--bbox", "--type", "--status", "--net", "--magtype", "--alert", "--place", "--region",
            ])
    }

    @Test(
        "An option's name used as a value, or after --, does not count as a repeated option",
        arguments: [
            "list --place --near --place --near --near 1,2", "list --min-mag -1 --max-mag -1", "show -- --at --at",
            "list -m -1 --max-mag 3", "list -v -v --count --count", "changes --since-token --consumer a",
            "changes --since-token --since-token", "list -l3 --limit 3",
        ])
    func values(line: String) {
        let message = message(line.split(separator: " ").map(String.init)) ?? ""
        #expect(!message.contains("given twice"), "\(message)")
    }

    @Test("If --op is given twice, the error says to separate the values with commas") func listOption() {
        let message = message(["changes", "--op", "new", "--op", "enter"]) ?? ""
        #expect(message == "--op is given twice, with new and enter; separate its values with commas.")
    }
}
