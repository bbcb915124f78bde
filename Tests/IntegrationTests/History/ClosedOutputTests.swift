import Foundation
import QuakeTestSupport
import Testing

/// A command that changes the cache completes its work, whatever happens to its report.
@Suite("Commands whose output nobody reads", .scratch) struct ClosedOutputTests {
    private static let feeds = ["all_day-1", "all_day-2"].map { Fixture.url("feeds/\($0).geojson").path }

    /// Runs `quakes` with standard output and standard error on a pipe without a reader.
    private func runUnread(_ cache: Cache, _ arguments: [String]) async throws -> Int32 {
        let executable = cache.quakes.executable
        let path = cache.path
        return try await onOwnThread {
            let process = Process()
            process.executableURL = URL(filePath: executable)
            process.arguments = arguments
            process.environment = ["QUAKES_DB": path]
            let pipe = Pipe()
            try pipe.fileHandleForReading.close()
            process.standardOutput = pipe.fileHandleForWriting
            process.standardError = pipe.fileHandleForWriting
            try process.run()
            process.waitUntilExit()
            return process.terminationStatus
        }
    }

    @Test(
        "quakes refresh applies every feed even if the reader of its output has closed the pipe",
        arguments: [[], ["-v"], ["--format", "json"]])
    func refreshWithUnreadReport(options: [String]) async throws {
        let cache = try Cache.ofTest()
        #expect(try await runUnread(cache, ["refresh"] + options + Self.feeds) == 0)
        #expect(try await cache.transactionCount() == 2)
    }

    @Test(
        "quakes refresh applies every feed even if standard output is closed or full",
        arguments: [(">&-", 0, false), (">/dev/full", 74, true)])
    func refreshWithUnwritableReport(output: String, status: Int32, isSaid: Bool) async throws {
        let cache = try Cache.ofTest()
        let shell = ProcessRunner(path: "/bin/sh", environment: cache.quakes.environment)
        let script = "exec \"$0\" refresh \"$@\" \(output)"
        let result = try await shell.run(["-c", script, cache.quakes.executable] + Self.feeds)
        #expect(result.exitStatus == status && result.errorOutput.contains("Cannot write") == isSaid)
        #expect(try await cache.transactionCount() == 2)
    }

    @Test("quakes purge, undo and consumers --forget take effect even if the output pipe is closed")
    func writesWithUnreadOutput() async throws {
        let cache = try Cache.ofTest()
        try cache.insert(0..<3)
        #expect(try await runUnread(cache, ["purge", "--all", "--yes", "-v"]) == 0)
        #expect(try await cache.run("list", "--count").output == "0\n")
        #expect(try await runUnread(cache, ["undo", "-v", "--format", "json"]) == 0)
        #expect(try await cache.run("list", "--count").output == "3\n")
        #expect(try await cache.changes("--since-token", "--consumer", "gone").count == 10)
        #expect(try await runUnread(cache, ["consumers", "--forget", "gone", "-v"]) == 0)
        #expect(try await cache.run("consumers").output.isEmpty)
    }
}
