import Foundation
import QuakeStore
import QuakeTestSupport
import Testing

/// The saved position moves if, and only if, everything was delivered.
@Suite("Consumers of changes", .scratch) struct ConsumerCommandTests {
    private let cache: Cache

    init() throws { cache = try .ofTest() }

    @Test("quakes changes --since-token advances the saved token unless --no-ack is given")
    func tokenMovesAfterOutput() async throws {
        try cache.insert(0..<2)
        #expect(try await cache.changes("--since-token", "--no-ack").count == 3)
        #expect(try await cache.changes("--since-token").count == 3)
        #expect(try await cache.changes("--since-token").count == 1)
        #expect(try await cache.changes("--since-token", "--consumer", "other").count == 3)
        try cache.insert(2..<3)
        let consumers = try await cache.run("consumers")
        #expect(consumers.output.hasPrefix("NAME              UNREAD"))
        #expect(consumers.output.contains("1 change in 1 transaction "), "\(consumers.output)")
        #expect(try await cache.run("changes", "--since-token", "--format", "ndjson").exitStatus == 0)
        #expect(try await cache.run("changes", "--ack", "beginning").exitStatus == 0)
        #expect(try await cache.changes("--since-token").count == 4)
        #expect(try await cache.run("consumers", "--forget", "other").exitStatus == 0)
        #expect(try await cache.run("consumers", "--forget", "other").exitStatus == 4)
    }

    @Test(
        "quakes changes prints that a consumer is new at its first call only, and never with -q",
        arguments: [
            (["--since-token"], "starting at the beginning of the history"),
            (["--exec", "true"], "starting at the beginning"),
            (["--follow", "--timeout", "0s"], "starting at the beginning"),
            (["--exec-each", "true"], "starting with the next change"),
        ])
    func newConsumer(delivery: [String], words: String) async throws {
        try cache.insert(0..<2)
        let arguments = ["changes", "--consumer", "alarm"] + delivery
        let first = try await cache.quakes.run(arguments)
        #expect(first.errorOutput.hasPrefix("quakes: the consumer \"alarm\" has not read any changes yet; \(words)"))
        #expect(try await cache.quakes.run(arguments).errorOutput == "")
        try await cache.run("consumers", "--forget", "alarm")
        #expect(try await cache.quakes.run(arguments + ["-q"]).errorOutput == "")
    }

    @Test("quakes changes --count prints the number of changes without advancing the saved token")
    func countMovesNothing() async throws {
        try cache.insert(0..<2)
        try await cache.run("changes", "--consumer", "alarm", "--ack", "now")
        try cache.insert(2..<5)
        for _ in 1...2 { #expect(try await cache.run("changes", "--consumer", "alarm", "--count").output == "3\n") }
        let foreign = "q1.0000000000000.1.00000000"
        #expect(try await cache.run("changes", "--since-token", foreign, "--count").output == "5\n")
        #expect(try await cache.run("diff", "1", "2", "--count").output == "3\n")
        #expect(try await cache.run("diff", "2", "now", "--count").output == "0\n")
        for other in [["--exec", "true"], ["--format", "csv"], ["--template", "{id}"], ["--follow"]] {
            #expect(try await cache.quakes.run(["changes", "--count"] + other).exitStatus == 64, "\(other)")
        }
        #expect(try await cache.run("diff", "1", "2", "--count", "--format", "csv").exitStatus == 64)
    }

    @Test("quakes changes --op new selects new, late and split quakes, but no restored or edited ones")
    func newOperation() async throws {
        let reasons = [ChangeReason.new, .late, .restored, .split, .edited]
        for (index, reason) in reasons.enumerated() {
            try cache.edit { try $0.insert(.numbered(index), reason: reason) }
        }
        func words(_ operations: String) async throws -> [String] {
            try await cache.lines("changes", "--op", operations, "--template", "{what}")
        }
        #expect(try await words("new") == ["new", "late", "split"])
        #expect(try await words("new,enter") == ["new", "late", "split"])
        #expect(try await words("late") == ["late"])
        #expect(try await words("insert").count == 5)
        let table = try await cache.output("changes", "--op", "new")
        #expect(table.contains("  new   ") && table.contains("  late  "), "\(table)")
    }

    @Test("quakes changes --op undo selects every change of an undo") func undoOperation() async throws {
        try cache.insert(0..<2)
        for number in ["1", "2"] {
            try await cache.output("undo", number)
            let words = try await cache.lines("changes", "--op", "undo", "--template", "{what}")
            #expect(words == Array(repeating: "undone", count: number == "1" ? 2 : 4))
        }
    }

    @Test(
        "Every command with --exec or --exec-each exits with 64 if the option's value is blank",
        arguments: [" ", "\t \n"])
    func emptyCommand(text: String) async throws {
        try cache.insert(0..<2)
        var calls = 0
        for command in try await CommandReference.built() {
            for option in command.options where option.hasPrefix("--exec") {
                calls += 1
                let result = try await cache.run(command.name, "--consumer", "alarm", option, text)
                #expect(result.exitStatus == 64, "\(command.name) \(option)")
                #expect(result.errorOutput.contains("The command is empty."), "\(result.errorOutput)")
            }
        }
        #expect(calls == 4)
        #expect(try await cache.output("consumers").isEmpty)
    }

    @Test("The last line of quakes changes --since counts the changes recorded since that time")
    func sinceTime() async throws {
        try cache.insert(0..<2)
        let learned = try await cache.run("changes", "--since", "2021-07-21")
        #expect(learned.output.contains("2 changes recorded since 2021-07-21 00:00 UTC, through transaction 1"))
        let published = try await cache.run("changes", "--since", "published:2021-07-21")
        #expect(published.output.contains(" published since 2021-07-21 00:00 UTC, through"), "\(published.output)")
        #expect(try await !cache.run("changes").output.contains("since"))
    }

    @Test("If an --exec command fails, the saved token does not advance") func failedCommandKeepsToken() async throws {
        let file = cache.directory.path("records")
        try cache.insert(0..<3)
        let failed = try await cache.run("changes", "--since-token", "--exec", "cat > '\(file)'; exit 7")
        #expect(failed.exitStatus == 1 && failed.output.isEmpty)
        let unchanged = "The saved token was not advanced; the next run delivers the same changes.\n"
        #expect(failed.errorOutput.hasSuffix("exited with status 7. \(unchanged)"))
        #expect(try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").count == 4)
        let killed = try await cache.run("changes", "--since-token", "--exec", "kill -9 $$")
        #expect(killed.exitStatus == 1 && killed.errorOutput.contains("signal 9"))
        let heard = try await cache.run("changes", "--since-token", "--exec", "wc -l")
        #expect(heard.exitStatus == 0 && heard.output.trimmingCharacters(in: .whitespaces) == "4\n")
        let idle = try await cache.run("changes", "--since-token", "--exec", "echo started")
        #expect(idle.exitStatus == 0 && idle.output.isEmpty)
    }

    @Test("An --exec command that stops reading its input early still counts as successful")
    func commandThatStopsReading() async throws {
        try cache.insert(0..<5_000)
        #expect(try await cache.run("changes", "--since-token", "--exec", "head -1 >/dev/null").exitStatus == 0)
        #expect(try await cache.changes("--since-token").count == 1)
    }

    @Test("quakes purge --history --read deletes only history that every consumer has read") func purgeReadHistory()
        async throws
    {
        try cache.insert(0..<1)
        let nobody = try await cache.run("purge", "--history", "--read")
        #expect(nobody.exitStatus == 0 && nobody.output == "nothing to delete\n")
        _ = try await cache.changes("--since-token", "--consumer", "slow")
        try cache.insert(1..<2)
        _ = try await cache.changes("--since-token", "--consumer", "quick")
        let rehearsed = try await cache.run("purge", "--history", "--read", "--dry-run")
        #expect(rehearsed.output.hasPrefix("would delete 1 transaction "))
        let purged = try await cache.run("purge", "--history", "--read")
        #expect(purged.output == "deleted 1 transaction with 1 change; history now starts after transaction 1\n")
        for name in ["slow", "quick"] {
            #expect(
                try await cache.changes("--since-token", "--consumer", name).allSatisfy {
                    $0.kind != "drop-everything"
                })
        }
        #expect(try await cache.run("purge", "--read").exitStatus == 64)
        #expect(try await cache.run("purge", "--history", "--read", "--all").exitStatus == 64)
    }

    @Test(
        "quakes changes exits with 64 if its options contradict each other",
        arguments: [
            ["--ack", "now", "--follow"], ["--exec", "true", "--follow"], ["--heartbeat", "1s"],
            ["--follow", "--format", "csv"],
            ["--follow", "--limit", "3"], ["--consumer", "a", "--since", "1h"],
            ["--token-file", "x", "--since-token", "--consumer", "a"],
            ["--ack", "now", "--since", "2h"], ["--exec", ""],
        ])
    func contradictoryOptions(arguments: [String]) async throws {
        #expect(try await ProcessRunner().run(["changes"] + arguments).exitStatus == 64)
    }
}
