import ArgumentParser
import QuakeStore
import QuakeTestSupport
import Testing

@testable import QuakeCommands

@Suite("What purge rejects", .scratch) struct PurgeCommandTests {
    private let cache: MappedCache

    init() throws { cache = try .ofTest() }

    private var count: Int { get throws { try cache.context().fetchCount() } }

    @Test(
        "Without a terminal, \"quakes purge\" needs --yes to delete more than half of the quakes",
        arguments: [["--all"], ["--max-mag", "5"], ["--before", "2027"]])
    func majority(selection: [String]) throws {
        let refused = try cache.run(["purge"] + selection)
        #expect(refused.status == .usage && refused.output.isEmpty)
        #expect(refused.errors.contains(/This would delete [23] of 3 quakes\. .* needs --yes/), "\(refused.errors)")
        #expect(try count == 3)
        #expect(try cache.run(["purge", "--dry-run"] + selection).status == .success)
        #expect(try cache.run(["purge", "--yes"] + selection).status == .success)
        #expect(try count <= 1)
    }

    @Test("quakes purge --dry-run reports no transaction, because none is written") func dryRun() throws {
        let purge = ["purge", "--min-mag", "6", "--format", "json"]
        let dry = try cache.run(purge + ["--dry-run"]).output
        #expect(dry.contains(#""quakes":1,"transaction":null"#), "\(dry)")
        let real = try cache.run(purge).output
        #expect(real.contains(/"quakes":1,"transaction":\d+/), "\(real)")
    }

    @Test("quakes purge needs no --yes to delete half of the quakes or fewer, or the history") func minority() throws {
        #expect(try cache.run("purge", "--min-mag", "6").output == "deleted 1 quake\n")
        #expect(try cache.run("purge", "--max-mag", "4").output == "deleted 1 quake\n")
        #expect(try cache.run("purge", "--max-mag", "1").output == "nothing to delete\n")
        #expect(try cache.run("purge", "--history", "--all").status == .success)
    }

    @Test(
        "quakes purge rejects the ambiguous unit \"m\" in an age such as 6m",
        arguments: ["--older-than", "--before", "--since", "--until"])
    func bareMinutes(option: String) throws {
        for age in ["6m", "1y6m", "6 m", "1h30m"] {
            #expect(throws: (any Error).self, "\(age)") { try PurgeCommand.parse([option, age, "--yes"]) }
            guard option != "--since", option != "--until" else { continue }
            #expect(throws: (any Error).self, "\(age)") { try PurgeCommand.parse(["--history", option, age]) }
        }
        for age in ["6min", "6mo", "6 minutes", "1y6mo", "2w"] {
            #expect(throws: Never.self, "\(age)") { try PurgeCommand.parse([option, age]) }
        }
        #expect(throws: Never.self) { try ListCommand.parse(["--since", "6m"]) }
    }
}
