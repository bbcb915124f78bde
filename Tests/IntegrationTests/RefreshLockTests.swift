import Foundation
import Glibc
import QuakeTestSupport
import Testing

@Suite("Concurrent and interrupted refreshes", .endsInTime, .scratch) struct RefreshLockTests {
    /// Runs `body` while a refresh of `cache` waits for a server that does not respond.
    private func whileRefreshing(
        _ cache: Cache, _ body: (RunningProcess) async throws -> Void
    ) async throws -> ProcessResult {
        let server = try MisbehavingServer.ofTest(.drip(every: .milliseconds(50)))
        let (_, left) = try await cache.quakes.whileRunning(["refresh", "-v", server.url("/all_day.geojson")]) {
            process in
            try await server.waitForRequest()
            try await body(process)
        }
        return left
    }

    /// Runs `body` while a refresh of `cache` waits for the rest of its input, which is then `feed`.
    private func whileReading(
        _ feed: String, _ cache: Cache, _ body: () async throws -> some Any
    ) async throws -> String {
        let pipe = try ScratchDirectory.ofTest().path("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        let (lines, result) = try await cache.quakes.whileRunning(["refresh", pipe]) { process in
            // Opens once the refresh has opened the other end.
            let writing = try await onOwnThread { try FileHandle(forWritingTo: URL(filePath: pipe)) }
            try writing.write(contentsOf: Data(" ".utf8))
            _ = try await body()
            try writing.write(contentsOf: Fixture.data("feeds/\(feed).geojson"))
            try writing.close()
            return try await process.remainingLines()
        }
        #expect(result.exitStatus == 0, "\(result.errorOutput)")
        return lines.joined(separator: "\n")
    }

    // Proves promises 7 and 8 of reliability.md.
    @Test("While quakes refresh waits for a server, other commands can write, back up and restore")
    func waitingForServer() async throws {
        let (cache, scratch) = try await Cache.andFolderOfDay()
        _ = try await whileRefreshing(cache) { _ async throws in
            try await cache.output("backup", scratch.path("copy.db"))
            try await cache.output("verify", "--full", "--db", scratch.path("copy.db"))
            #expect(try await cache.refresh("all_day-2")["inserted"]["new"].integer == 3)
            try await cache.output("purge", "--all", "--yes")
            try await cache.output("restore", scratch.path("copy.db"))
            #expect(try await cache.output("list", "--count") == "24\n")
            #expect(try await cache.output("changes", "--since-token").contains("changes, through transaction"))
        }
    }

    // Proves promise 8 of reliability.md.
    @Test("While quakes refresh waits for its input, another refresh can complete")
    func waitingForInput() async throws {
        let cache = try await Cache.ofDay()
        let words = try await whileReading("all_day-1", cache) { try await cache.refresh("all_day-2") }
        #expect(words.contains("older than the newest one read"), "\(words)")
        #expect(try await cache.output("list", "--count") == "28\n")
    }

    @Test("quakes refresh applies its feed to a cache that was restored while the feed was read")
    func restoredMeanwhile() async throws {
        let (cache, scratch) = try await Cache.andFolderOfDay()
        try await cache.output("backup", scratch.path("copy.db"))
        let words = try await whileReading("all_day-2", cache) {
            try await cache.output("purge", "--all", "--yes")
            try await cache.output("restore", scratch.path("copy.db"))
        }
        #expect(words.contains("4 new, 5 changed"), "\(words)")
        #expect(try await cache.run("verify", "--full").exitStatus == 0)
    }

    // Proves promise 1 of reliability.md.
    @Test(
        "Interrupting quakes refresh with SIGINT or SIGTERM leaves the cache unchanged", arguments: [SIGINT, SIGTERM])
    func interruption(signal: Int32) async throws {
        let cache = try await Cache.ofDay()
        let token = try await cache.token()
        let left = try await whileRefreshing(cache) { process in
            process.send(signal: signal)
            _ = try await process.remainingLines()
        }
        #expect(left.ending == .signaled(signal))
        #expect(try await cache.token() == token)
        #expect(try await cache.refresh("all_day-2")["inserted"]["new"].integer == 3)
    }
}

@Suite("Interrupted refreshes on a terminal", .endsInTime, .scratch) struct InterruptedRefreshTests {
    @Test("On Ctrl-C, quakes refresh prints how many feeds it has saved and ends with SIGINT") func interruptionReport()
        async throws
    {
        let cache = try Cache.ofTest()
        let server = try MisbehavingServer.ofTest(.drip(every: .milliseconds(50)))
        let terminal = ProcessRunner(
            path: "/usr/bin/script", environment: cache.quakes.environment.merging(["TERM": "xterm"]) { $1 })
        let feed = Fixture.url("feeds/all_day-1.geojson").path
        let call = "exec '\(cache.quakes.executable)' refresh '\(feed)' '\(server.url("/all_week.geojson"))'"
        let (text, left) = try await terminal.whileRunning(["-qec", call, "/dev/null"]) { process in
            try await server.waitForRequest()
            kill(try #require(process.childID), SIGINT)
            return try await process.remainingLines().joined(separator: "\n")
        }
        #expect(text.contains("Interrupted after saving 1 feed."), "\(text)")
        #expect(left.exitStatus == 128 + SIGINT)
        #expect(try await cache.output("list", "--count") == "24\n")
    }
}

extension RunningProcess {
    /// The process id of its child.
    fileprivate var childID: Int32? {
        let children = try? String(contentsOfFile: "/proc/\(processID)/task/\(processID)/children", encoding: .utf8)
        return children?.split(separator: " ").first.flatMap { Int32($0) }
    }
}

extension MisbehavingServer {
    /// Returns once a request has arrived.
    fileprivate func waitForRequest() async throws {
        while requestCount == 0 { try await Task.sleep(for: .milliseconds(5)) }
    }
}
