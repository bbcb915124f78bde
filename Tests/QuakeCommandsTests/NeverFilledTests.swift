import QuakeStore
import QuakeTestSupport
import Testing

@testable import QuakeCommands

@Suite("A cache that no feed has filled yet", .scratch) struct NeverFilledTests {
    private static let answer = "quakes: No feed has been read yet. Run `quakes refresh`.\n"

    @Test(
        "quakes list, show, map, diff, changes and summary exit with 66 before the first refresh",
        arguments: [
            ["list"], ["list", "--format", "json"], ["list", "--count"], ["list", "--at", "now"], ["show", "us1"],
            ["map"], ["map", "--format", "svg"], ["diff", "beginning"], ["changes"], ["changes", "--coalesce"],
            ["changes", "--ack", "now"], ["summary"], ["summary", "--format", "json"],
        ])
    func readsFail(arguments: [String]) throws {
        let cache = try MappedCache.ofTest(isFilled: false)
        for terminal in [nil, (columns: 80, rows: 24)] {
            let outcome = try cache.run(arguments, terminal: terminal)
            #expect(outcome.status == .noCache && outcome.output.isEmpty, "\(outcome)")
            #expect(outcome.errors == Self.answer)
        }
    }

    @Test(
        "quakes status, token, history, consumers and verify succeed before the first refresh",
        arguments: [["status"], ["token"], ["history"], ["consumers"], ["verify"]])
    func otherCommandsWork(arguments: [String]) throws {
        #expect(try MappedCache.ofTest(isFilled: false).run(arguments).status == .success)
    }

    @Test("quakes list --count prints 0 after an empty feed or a purge of all quakes", arguments: [false, true])
    func emptyLists(isFilled: Bool) throws {
        let cache = try MappedCache.ofTest(isFilled: isFilled)
        if isFilled {
            #expect(try cache.run("purge", "--all", "--yes").status == .success)
        } else {
            var record = FeedRecord(name: "significant_hour")
            record.applied = .sample
            try cache.context().sources.save(record)
        }
        #expect(try cache.run("list", "--count").output == "0\n")
    }
}
