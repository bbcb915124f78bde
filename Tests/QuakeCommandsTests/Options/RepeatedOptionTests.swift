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

    @Test("An option given twice is rejected if the values differ, under any of its names", arguments: commands)
    func everyOption(command: String) throws {
        let type = try #require(QuakesCommand.named(command))
        let options = try CommandDescription(type).options
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

    @Test("Of list's options, only --near, --bbox and lists of words may be repeated") func repeatableOptions() throws {
        let names = try CommandDescription(ListCommand.self).options.filter(\.isRepeating).map(\.name)
        #expect(
            Set(names) == [
                "--near", "--bbox", "--type", "--status", "--net", "--magtype", "--alert", "--place", "--region",
            ])
    }

    @Test(
        "A value that looks like an option, or follows --, is not a repeated option",
        arguments: [
            "list --place --near --place --near --near 1,2", "list --min-mag -1 --max-mag -1", "show -- --at --at",
            "list -m -1 --max-mag 3", "list -v -v --count --count", "changes --since-token --consumer a",
            "changes --since-token --since-token", "list -l3 --limit 3",
        ])
    func values(line: String) {
        let message = message(line.split(separator: " ").map(String.init)) ?? ""
        #expect(!message.contains("given twice"), "\(message)")
    }

    @Test("If a list option is given twice, the error says to separate values with commas") func listOption() {
        let message = message(["changes", "--op", "new", "--op", "enter"]) ?? ""
        #expect(message == "--op is given twice, with new and enter; separate its values with commas.")
    }
}
