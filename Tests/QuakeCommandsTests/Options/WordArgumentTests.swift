import ArgumentParser
import Foundation
import QuakeModel
import QuakeTestSupport
import Testing

@testable import QuakeCommands

@Suite("Case of words on the command line", .scratch) struct WordArgumentTests {
    /// The options of a command that list their values.
    private struct Help: Decodable {
        struct Command: Decodable { let arguments: [Argument]? }
        struct Argument: Decodable {
            struct Name: Decodable { let name: String }

            let preferredName: Name?
            let allValues: [String]?
        }

        let command: Command
    }

    @Test("Every option that lists its values accepts them in capitals") func listedValues() throws {
        var count = 0
        for command in QuakesCommand.configuration.subcommands {
            let help = try JSONDecoder().decode(Help.self, from: Data(command._dumpHelp().utf8))
            for argument in help.command.arguments ?? [] {
                for value in argument.allValues ?? [] {
                    count += 1
                    let words = ["--\(argument.preferredName?.name ?? "")", value.uppercased()]
                    // Other arguments may be missing.
                    var message = ""
                    do { _ = try command.parseAsRoot(words) } catch { message = command.message(for: error) }
                    #expect(!message.contains("is invalid for"), "\(command): \(message)")
                }
            }
        }
        #expect(count > 60)
    }

    @Test(
        "Values of options that accept words are the same in capitals as in lowercase",
        arguments: [
            ["list", "--format", "jsonl"], ["list", "--type", "earthquake"], ["list", "--type", "!earthquake"],
            ["list", "--status", "reviewed"], ["list", "--alert", "green"], ["list", "--net", "us"],
            ["list", "--magtype", "mb"], ["list", "--tz", "utc"], ["list", "--fields", "id,mag", "--format", "csv"],
            ["list", "--region", "alaska"], ["list", "--units", "miles"], ["list", "--at", "now"],
            ["changes", "--since-token", "beginning", "--op", "new"], ["changes", "--since-token", "last", "--no-ack"],
            ["changes", "--since-token", "beginning", "--changed", "mag"], ["map", "--format", "text"],
        ])
    func sameInCapitals(words: [String]) throws {
        let cache = try MappedCache.ofTest()
        let capitals = words.map { $0.hasPrefix("--") || $0 == words[0] ? $0 : $0.uppercased() }
        let usual = try cache.run(words)
        let other = try cache.run(capitals)
        #expect(other.status == usual.status && other.status != .usage, "\(other.errors)")
        #expect(other.output == usual.output, "\(capitals)")
    }

    @Test(
        "--sort accepts magnitude, and -asc after any key for the smallest first",
        arguments: [
            ("magnitude", QuakeSortKey(.magnitude, order: .reverse)),
            ("MAG", QuakeSortKey(.magnitude, order: .reverse)),
            ("mag-asc", QuakeSortKey(.magnitude, order: .forward)),
            ("magnitude-asc", QuakeSortKey(.magnitude, order: .forward)),
            ("time-asc", QuakeSortKey(.time, order: .forward)),
            ("Felt-ASC", QuakeSortKey(.feltReports, order: .forward)),
        ])
    func sortKeys(text: String, key: QuakeSortKey) throws {
        #expect(try SortOptions.parse(["--sort", text]).sortKey(from: []) == key)
        let reversed = try SortOptions.parse(["--sort", text, "--reverse"]).sortKey(from: [])
        #expect(reversed.order != key.order && reversed.value == key.value)
    }

    @Test("--sort rejects other words with the list of its values", arguments: ["date", "newest", "largest", "-asc"])
    func otherSortKeys(text: String) {
        let error = #expect(throws: (any Error).self) { try SortOptions.parse(["--sort=\(text)"]) }
        let message = error.map { SortOptions.message(for: $0) } ?? ""
        #expect(message.contains("distance"), "\(message)")
    }
}
