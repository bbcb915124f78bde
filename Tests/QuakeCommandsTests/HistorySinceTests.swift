import ArgumentParser
import QuakeStore
import QuakeTestSupport
import Synchronization
import Testing

@testable import QuakeCommands

@Suite("quakes history --since", .scratch) struct HistorySinceTests {
    private let path: String

    /// Creates a cache with three transactions: two hours before the tests' time, one hour before, and then.
    init() throws {
        path = try ScratchDirectory.ofTest().path("quakes.db")
        for hours in [2, 1, 0] {
            let configuration = StoreConfiguration(program: "tests", now: { .sample - .seconds(hours * 3600) })
            let context = try QuakeContext(QuakeCache(path: path, configuration: configuration), access: .creating)
            try context.write { _ = try $0.insert(Quake(sample: "us70\(hours)"), reason: .new) }
        }
    }

    /// Returns the numbers of the transactions that `quakes history` lists, and its remarks.
    private func history(_ arguments: String..., variables: [String: String] = [:]) throws -> String {
        let files = (output: try CapturedFile(), errors: try CapturedFile())
        let command = try HistoryCommand.parse(["--db", path, "--format", "csv"] + arguments)
        let status = command.runReportingErrors(
            in: .test(output: files.output.stream, errors: files.errors.stream, variables: variables))
        #expect(status == .success)
        let rows = files.output.text.split(whereSeparator: \.isNewline).dropFirst()
        return rows.map { $0.prefix { $0 != "," } }.joined(separator: " ") + files.errors.text
    }

    @Test("history --since lists the transactions recorded at or after that time, newest first") func bounds() throws {
        #expect(try history("--since", "2026-03-14T11:00Z") == "3 2")
        #expect(try history("--since", "2026-03-14T11:00:00.001Z") == "3")
        #expect(try history("--since", "1h") == "3 2")
        #expect(try history("--since", "2026-03-14T10:59:59.999Z") == "3 2")
        #expect(try history("--since", "2026") == "3 2 1" && history("--since", "now") == "3")
        #expect(try history("-s", "2026-03-14T20:00", variables: ["QUAKES_TZ": "Asia/Tokyo"]) == "3 2")
        #expect(try history("-s", "2026-03-14T20:01", "--tz", "Asia/Tokyo") == "3")
    }

    @Test("history --since --limit lists the newest of these transactions") func limit() throws {
        #expect(try history("--since", "1h", "--limit", "1") == "3")
        #expect(try history("--since", "1h", "--limit", "5") == "3 2")
        #expect(try history("--since", "1h", "--limit", "0") == "")
    }

    @Test("If no transaction was committed since then, history --since says so") func none() throws {
        let words = "quakes: no transaction has been recorded since 2026-03-15 00:00:00 UTC\n"
        #expect(try history("--since", "2026-03-15") == words)
    }

    @Test("After a purge of history, history --since lists what is left") func afterPurge() throws {
        let context = try QuakeContext(QuakeCache(path: path))
        try context.history.trim(before: .transaction(2), force: true)
        let left = try history()
        #expect(left != "3 2 1" && !left.isEmpty)
        #expect(try history("--since", "2020") == left)
    }
}
