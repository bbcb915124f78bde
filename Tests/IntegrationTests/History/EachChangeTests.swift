import Foundation
import QuakeStore
import QuakeTestSupport
import Testing

/// `changes --exec-each` runs the command for each change at least once, with the change's values as variables.
@Suite("A command for each change", .endsInTime, .scratch) struct EachChangeTests {
    private let cache: Cache
    /// A file to which commands write.
    private let file: String

    init() throws {
        cache = try .ofTest()
        file = cache.directory.path("told")
    }

    private var told: [String] {
        let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    /// Commits one transaction, which the consumer `alarm` has read.
    private func acknowledge() async throws {
        try cache.insert(0..<1)
        try await cache.run("changes", "--consumer", "alarm", "--ack", "now")
    }

    @Test("For a new consumer, --exec-each runs once for each change after the consumer's first call")
    func oncePerChange() async throws {
        try cache.insert(0..<3)
        let arguments = ["changes", "--consumer", "alarm", "--exec-each", "echo $QUAKE_CHANGE_ID $QUAKE_OP >> \(file)"]
        #expect(try await cache.quakes.run(arguments).exitStatus == 0)
        #expect(told == [])
        try cache.insert(3..<5)
        for _ in 1...2 { #expect(try await cache.quakes.run(arguments).exitStatus == 0) }
        #expect(told == ["4 insert", "5 insert"])
    }

    @Test("If an --exec-each command fails mid-transaction, the next run resumes at the same change")
    func failureInsideTransaction() async throws {
        try await acknowledge()
        let token = try await cache.token()
        try cache.insert(1..<4)
        let script = "echo $QUAKE_CHANGE_ID >> \(file); test $QUAKE_CHANGE_ID != 3 -o -e \(file).mended"
        for _ in 1...2 {
            let failed = try await cache.run("changes", "--consumer", "alarm", "--exec-each", script)
            #expect(failed.exitStatus == 1)
            #expect(failed.errorOutput.contains("To skip the change, have the command exit with status 0."))
        }
        #expect(told == ["2", "3", "3"])
        #expect(try await cache.run("consumers", "--format", "json").output.contains("\"\(token)\""))
        #expect(try await cache.run("verify").exitStatus == 0)
        #expect(try await cache.changes("--consumer", "alarm", "--no-ack").compactMap(\.changeID) == [2, 3, 4])
        try Data().write(to: URL(filePath: file + ".mended"))
        #expect(try await cache.run("changes", "--consumer", "alarm", "--exec-each", script).exitStatus == 0)
        #expect(told == ["2", "3", "3", "3", "4"])
        #expect(try await cache.changes("--consumer", "alarm").map(\.kind) == ["end"])
    }

    @Test("--exec-each --limit 2 completes a transaction of 3 changes and stops, even on a retry")
    func limit() async throws {
        try await acknowledge()
        try cache.insert(1..<4)
        for number in 4..<204 { try cache.insert(number..<number + 1) }
        func run(_ script: String, limit: Int) async throws -> Int32? {
            let call = ["changes", "--consumer", "alarm", "--limit", "\(limit)", "--exec-each", script]
            return try await cache.quakes.run(call).exitStatus
        }
        #expect(try await run("echo $QUAKE_CHANGE_ID >> \(file); test $QUAKE_CHANGE_ID != 4", limit: 2) == 1)
        #expect(try await run("echo $QUAKE_CHANGE_ID >> \(file)", limit: 2) == 0)
        #expect(told == ["2", "3", "4", "4"])
        #expect(try await run("echo $QUAKE_CHANGE_ID >> \(file)", limit: 150) == 0)
        #expect(told.dropFirst(4) == (5...154).map(String.init)[...])
    }

    @Test("After a restore, --exec-each runs for the unread changes and reports the restore once")
    func restored() async throws {
        try cache.insert(0..<1)
        try await cache.run("backup", file + ".db")
        let arguments = ["changes", "--consumer", "alarm", "--exec-each", "echo $QUAKE_CHANGE_ID >> \(file)"]
        _ = try await cache.quakes.run(arguments)
        try cache.insert(1..<2)
        _ = try await cache.quakes.run(arguments)
        try await cache.run("restore", file + ".db")
        try cache.insert(2..<3)
        #expect(try await cache.quakes.run(arguments + ["--on-expired", "fail"]).exitStatus == 3 && told == ["2"])
        let result = try await cache.quakes.run(arguments)
        #expect(result.exitStatus == 0 && told == ["2", "3"])
        #expect(
            result.errorOutput == "quakes: The cache was restored from a backup; continuing after transaction 1. "
                + "Changes between the backup and the restore may be missing or repeated.\n")
        #expect(try await cache.quakes.run(arguments).errorOutput == "")
    }

    // Proves promise 5 of reliability.md.
    @Test(
        "A restore while an --exec command runs does not repeat changes read before the backup",
        arguments: ["changes", "watch"], ["--exec-each", "--exec"])
    func restoredDuringCommand(command: String, option: String) async throws {
        try await acknowledge()
        // A record contains its change's id; the command for each change has it in its environment.
        let tell = "grep -o 'us70[0-9]' | sort -u >> \(file); echo ${QUAKE_ID-} >> \(file)"
        let restore = "until quakes restore -q \(file).db; do :; done; touch \(file).restored"
        let script = "\(tell); test -e \(file).restored || { \(restore); }"
        var runner = cache.quakes
        let programs = URL(filePath: runner.executable).deletingLastPathComponent().path
        runner.environment["PATH"] = "\(programs):/usr/bin:/bin"
        func deliver(_ id: String) async throws -> String {
            let arguments = [command, "--consumer", "alarm", option, script]
            guard command == "watch" else { return try await runner.run(arguments).errorOutput }
            return try await runner.whileRunning(arguments) { _ in
                while !told.contains(id) || !FileManager.default.fileExists(atPath: file + ".restored") {
                    try await Task.sleep(for: .milliseconds(5))
                }
            }.1.errorOutput
        }
        try cache.insert(1..<2)
        try await cache.run("changes", "--consumer", "alarm", "--ack", "now")
        try await cache.run("backup", file + ".db")
        try cache.insert(2..<3)
        let errors = try await deliver("us702")
        try cache.insert(3..<4)
        _ = try await deliver("us703")
        #expect(Set(told) == ["us702", "us703"])
        let words = option == "--exec" ? "while its changes were being read" : "continuing after transaction 2."
        #expect(command == "watch" || errors.contains(words), "\(errors)")
    }

    // Proves promise 5 of reliability.md.
    @Test("After a different cache is restored, --exec-each runs only for changes after the restore")
    func otherCacheRestored() async throws {
        try await acknowledge()
        let other = Cache(in: cache.directory, name: "other.db")
        try other.insert(10..<34)
        let arguments = ["changes", "--consumer", "alarm", "--exec-each", "echo $QUAKE_ID >> \(file)"]
        try await cache.run("restore", "--force", other.path)
        try cache.insert(1..<2)
        let words = try await cache.quakes.run(arguments).errorOutput
        #expect(words.hasPrefix("quakes: The cache was restored from a backup; continuing after"), "\(words)")
        #expect(try await cache.quakes.run(arguments).errorOutput == "")
        #expect(told == ["us701"])
    }

    @Test("If unread history was purged, --exec-each exits with 3 and prints the command to continue")
    func purgedHistory() async throws {
        try cache.insert(0..<1)
        try await cache.run("changes", "--consumer", "my alarm", "--ack", "now")
        try cache.insert(1..<2)
        try await cache.run("purge", "--history", "--all", "--force")
        try cache.insert(2..<3)
        let arguments = ["changes", "--consumer", "my alarm", "--exec-each", "echo $QUAKE_CHANGE_ID >> \(file)"]
        let result = try await cache.quakes.run(arguments)
        #expect(result.exitStatus == 3)
        #expect(
            result.errorOutput == "quakes: The saved token of \"my alarm\" cannot be used: the history after it "
                + "has been purged, and --exec-each does not deliver every quake again. "
                + "To skip the purged changes and continue with those left, run "
                + "`quakes changes --consumer 'my alarm' --ack beginning`.\n")
        #expect(try await cache.run("changes", "--consumer", "my alarm", "--ack", "beginning").exitStatus == 0)
        #expect(try await cache.quakes.run(arguments).exitStatus == 0)
        #expect(told == ["3"])
    }

    @Test("A consumer without a token says that it cannot start at the beginning of a purged history")
    func newConsumerOfPurgedHistory() async throws {
        try cache.insert(0..<2)
        try await cache.run("purge", "--history", "--all", "--force")
        let result = try await cache.quakes.run(["changes", "--consumer", "alarm", "--on-expired", "fail"])
        #expect(result.exitStatus == 3)
        let words =
            "quakes: Cannot start at the beginning of the history: part of it has been purged. To skip the purged"
        #expect(result.errorOutput.contains(words), "\(result.errorOutput)")
    }

    @Test("quakes changes exits with 64 and names the token file if the file contains no token") func fileWithoutToken()
        async throws
    {
        let file = try cache.directory.write(Data("rubbish".utf8), to: "place")
        try cache.insert(0..<1)
        let result = try await cache.run("changes", "--token-file", file)
        #expect(result.exitStatus == 64 && result.errorOutput.contains("The file \(file) does not contain a token."))
    }

    @Test("SIGTERM during an --exec-each command ends quakes changes with SIGTERM") func signal() async throws {
        try await acknowledge()
        try cache.insert(1..<3)
        let script = "echo $QUAKE_CHANGE_ID; test $QUAKE_CHANGE_ID != 3 || exec sleep 600"
        let result = try await cache.quakes.whileRunning(["changes", "--consumer", "alarm", "--exec-each", script]) {
            process in
            while let line = try await process.nextLine(), line != "3" {}
            process.send(signal: SIGTERM)
            _ = try await process.remainingLines()
        }.1
        #expect(result.ending == .signaled(SIGTERM))
    }

    @Test("quakes diff accepts transaction numbers, such as 1 or #1, as states") func transactionNumbers() async throws
    {
        for number in 1...2 { try await cache.refresh("all_day-\(number)") }
        let byNumber = try await cache.run("diff", "1", "2", "--format", "csv").output
        #expect(try await cache.run("diff", "#1", "#2", "--format", "csv").output == byNumber)
        #expect(byNumber.split(separator: "\n").count == 10)
        let renamed = try await cache.run("diff", "1", "2", "--changed", "id", "--format", "csv").output
        #expect(renamed.split(separator: "\n").count == 2)
        #expect(try await cache.run("diff", "1", "7").exitStatus == 4)
        #expect(try await cache.run("verify", cache.path).output.hasPrefix("OK: "))
    }
}
