import QuakeModel
import QuakeTestSupport
import Testing

@testable import QuakeCommands

@Suite("Tables fit the terminal", .scratch) struct TerminalTableTests {
    private let cache: MappedCache

    init() throws { cache = try .ofTest() }

    private static let plain = ["LC_ALL": "C.UTF-8", "NO_COLOR": "1"]

    @Test(
        "No table line is wider than the terminal, except for values such as URLs",
        arguments: [
            ["list"], ["list", "--fields", "id,place,url,mag,time"], ["changes"], ["history"],
            ["diff", "beginning"], ["status"], ["history", "2"], ["show", MappedCache.renamed], ["consumers"],
            ["list", "--home", "35,-117"], ["changes", "--home", "35,-117"],
        ])
    func noLineWraps(arguments: [String]) throws {
        for columns in [40, 52, 60, 71, 80, 100, 132, 200] {
            let outcome = try cache.run(arguments, terminal: (columns, 50), variables: Self.plain)
            #expect(outcome.status == .success)
            for line in outcome.output.split(separator: "\n") {
                // An address, a path, a token or a command stays whole, so that it can be copied.
                let isWhole = line.split(separator: " ").count <= 2 || line.contains(" run: ")
                #expect(DisplayWidth.columns(of: String(line)) <= columns || isWhole, "\(columns): \(line)")
            }
        }
    }

    @Test(
        "With --color always, a pipe gets the table without a terminal, with colors and nothing else",
        arguments: [["list"], ["changes"], ["history"], ["history", "2"], ["show", MappedCache.renamed]])
    func colorInPipe(arguments: [String]) throws {
        let plain = try cache.run(arguments).output
        let colored = try cache.run(arguments + ["--color", "always"]).output
        #expect(!plain.contains("\u{1B}") && colored.contains("\u{1B}[1m"))
        #expect(colored.replacing(/\x1B\[[0-9;]*m/, with: "") == plain)
    }

    @Test("If a table lacks room, its last line names the omitted columns") func omittedColumns() throws {
        let narrow = try cache.run("list", terminal: (40, 50), variables: Self.plain)
        #expect(narrow.output.hasPrefix("TIME (UTC)         MAG  PLACE\n"))
        #expect(narrow.output.hasSuffix("\n3 quakes · terminal too narrow for DEPTH\nKM, ID\n"))
        #expect(narrow.errors.isEmpty)
        func output(_ columns: Int, _ words: String...) throws -> String {
            try cache.run(words, terminal: (columns, 50), variables: Self.plain).output
        }
        #expect(try output(52, "list").hasSuffix("\n3 quakes · terminal too narrow for DEPTH KM\n"))
        #expect(try output(90, "list").hasSuffix("\n3 quakes\n"))
        #expect(!(try cache.run("list").output.contains("too narrow")))
        #expect(try output(60, "history").hasSuffix("\nterminal too narrow for SOURCE, PUBLISHED (UTC), AUTHOR\n"))
        let last = "\n4 changes, through transaction 2; terminal too narrow for\nDETAILS, ID; token "
        #expect(try output(60, "changes").contains(last))
        #expect(!(try output(100, "changes").contains("too narrow")))
        #expect(try output(60, "history", "1").hasSuffix("\nterminal too narrow for DETAILS, ID\n"))
    }

    @Test("quakes consumers prints \"no consumers\" on a terminal, and nothing in a pipe") func noConsumers() throws {
        #expect(try cache.run("consumers", terminal: (80, 24)).output == "no consumers\n")
        #expect(try cache.run("consumers").output.isEmpty)
        _ = try cache.run("changes", "--consumer", "mail", "--ack", "now")
        #expect(try cache.run("consumers", terminal: (80, 24)).output.contains("\nmail "))
        #expect(try cache.run("consumers", "--forget", "mail", terminal: (80, 24)).errors == "quakes: forgot mail\n")
    }

    @Test("quakes purge suggests \"quakes undo\", except with --dry-run") func undoHint() throws {
        let trial = try cache.run("purge", "--min-mag", "6", "--dry-run", terminal: (80, 24))
        let lines = trial.output.split(separator: "\n")
        #expect(lines.count == 3 && lines[1].contains("us200") && lines[2] == "would delete 1 quake")
        #expect(trial.errors.isEmpty)
        let purge = try cache.run("purge", "--min-mag", "6", "--yes", terminal: (80, 24))
        #expect(purge.output == "deleted 1 quake\n")
        #expect(purge.errors == "quakes: `quakes undo` brings the quakes back.\n")
    }

    @Test("quakes history counts the changes of a transaction by kind, such as \"3 new\"") func wordsOfHistory() throws
    {
        let lines = try cache.run("history").output.split(separator: "\n")
        #expect(lines[0].hasPrefix("RECORDED  TRANSACTION  CHANGES"))
        #expect(lines[1].wholeMatch(of: #/\d{4}-\d\d-\d\d UTC/#) != nil)
        #expect(lines[2].contains(#/^\d\d:\d\d               2  1 renamed +- +- +tests$/#), "\(lines[2])")
        #expect(lines[3].contains("  3 new  ") && lines.count == 4)
    }

    @Test("On a terminal, quakes list prints \"no quakes match\" if the list is empty") func emptyList() throws {
        #expect(try cache.run("list", "--since", "2100", terminal: (120, 24)).output.contains("no quakes match"))
        #expect(try cache.run("list", "--min-mag", "9", terminal: (120, 24)).output.contains("no quakes match"))
        let quiet = try cache.run("list", "--since", "2100", "-q", terminal: (120, 24))
        #expect(!quiet.output.contains("no quakes match") && quiet.errors.isEmpty)
    }
}
