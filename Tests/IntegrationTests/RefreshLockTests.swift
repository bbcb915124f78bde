import Foundation
import QuakeTestSupport
import Testing

@Suite("Refreshes at the same time, and refreshes that are interrupted", .timeLimit(.minutes(5)), .scratch)
struct RefreshLockTests {
    /// Runs `body` while a refresh of `cache` waits for a server that says nothing.
    private func whileRefreshing(
        _ cache: Cache, _ body: (RunningProcess) async throws -> Void
    ) async throws -> ProcessResult {
        try await withMisbehavingServer(.drip(every: .milliseconds(50))) { server in
            let (_, left) = try await cache.quakes.whileRunning(["refresh", "-v", server.url("/all_day.geojson")]) {
                process in
                try await server.waitForRequest()
                try await body(process)
            }
            return left
        }
    }

    @Test("The second of two refreshes ends with 75")
    func second() async throws {
        let cache = try Cache.ofTest()
        _ = try await whileRefreshing(cache) { _ async throws in
            let result = try await cache.run("refresh", Fixture.url("feeds/all_day-1.geojson").path)
            #expect(result.exitStatus == 75)
            #expect(result.errorOutput.contains("--wait"))
        }
    }

    @Test("With --wait the second refresh works once the first has ended")
    func patience() async throws {
        let cache = try Cache.ofTest()
        _ = try await whileRefreshing(cache) { process in
            async let waiting = cache.run("refresh", "--wait", "20s", Fixture.url("feeds/all_day-1.geojson").path)
            process.send(signal: SIGTERM)
            let result = try await waiting
            #expect(result.exitStatus == 0, "\(result.errorOutput)")
            #expect(result.output.contains("24 new"))
        }
    }

    @Test("Readers are not kept waiting by a refresh")
    func readers() async throws {
        let cache = try Cache.ofTest()
        try await cache.refresh("all_day-1")
        _ = try await whileRefreshing(cache) { _ async throws in
            let count = try await cache.output("list", "--count")
            let changes = try await cache.output("changes", "--since-token")
            #expect(count == "24\n")
            #expect(changes.hasSuffix("24 changes, up to transaction 1\n"))
        }
    }

    @Test(
        "Ctrl-C ends a slow refresh with 130, TERM with 143, and the cache is as it was", arguments: [SIGINT, SIGTERM])
    func interruption(signal: Int32) async throws {
        let cache = try Cache.ofTest()
        try await cache.refresh("all_day-1")
        let token = try await cache.token()
        let left = try await whileRefreshing(cache) { process in
            process.send(signal: signal)
            _ = try await process.remainingLines()
        }
        #expect(left.ending == .signalled(signal))
        #expect(try await cache.token() == token)
        #expect(try await cache.refresh("all_day-2")["inserted"]["new"].integer == 3)
    }
}

@Suite("What a terminal shows of a refresh that is interrupted", .timeLimit(.minutes(5)), .scratch)
struct InterruptedRefreshTests {
    @Test("Ctrl-C says what was kept, and ends the program as the signal does")
    func interruption() async throws {
        let cache = try Cache.ofTest()
        try await withMisbehavingServer(.drip(every: .milliseconds(50))) { server in
            let terminal = ProcessRunner(
                path: "/usr/bin/script", environment: cache.quakes.environment.merging(["TERM": "xterm"]) { $1 })
            let feed = Fixture.url("feeds/all_day-1.geojson").path
            let call = "exec '\(cache.quakes.executable)' refresh '\(feed)' '\(server.url("/all_week.geojson"))'"
            let (text, left) = try await terminal.whileRunning(["-qec", call, "/dev/null"]) { process in
                try await server.waitForRequest()
                kill(try #require(process.childID), SIGINT)
                return try await process.remainingLines().joined(separator: "\n")
            }
            #expect(text.contains("all_week was saved. 1 feed was applied."), "\(text)")
            #expect(left.exitStatus == 128 + SIGINT)
        }
        #expect(try await cache.output("list", "--count") == "24\n")
    }
}

@Suite("What a terminal shows of a slow refresh", .timeLimit(.minutes(5)), .scratch)
struct SlowRefreshTests {
    @Test("A step of --verbose starts on a line of its own, and not behind the progress")
    func verbose() async throws {
        let cache = try Cache.ofTest()
        try await withMisbehavingServer(.drip(every: .milliseconds(50))) { server in
            let terminal = ProcessRunner(
                path: "/usr/bin/script", environment: cache.quakes.environment.merging(["TERM": "xterm"]) { $1 })
            let urls = ["a", "b"].map { "'\(server.url("/\($0).geojson"))'" }.joined(separator: " ")
            let call = "exec '\(cache.quakes.executable)' refresh -v --timeout 1s \(urls)"
            let text = try await terminal.run(["-qec", call, "/dev/null"]).output
            let steps = text.split(separator: "quakes: reading http", omittingEmptySubsequences: false).dropLast()
            #expect(steps.count == 2 && text.contains("2 of 2"), "\(text)")
            for before in steps { #expect(before.isEmpty || before.last?.isNewline == true, "\(text)") }
        }
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
    /// Returns when a request has come.
    fileprivate func waitForRequest() async throws {
        while requestCount == 0 { try await Task.sleep(for: .milliseconds(5)) }
    }
}
