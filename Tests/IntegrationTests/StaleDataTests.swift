import Foundation
import QuakeStore
import QuakeTestSupport
import Testing

@Suite("Stale data from a server that responds", .endsInTime, .scratch) struct StaleDataTests {
    private let cache: Cache
    private let server: FeedServer
    private let now = Timestamp.now

    init() throws {
        cache = try .ofTest()
        server = try .ofTest()
        try cache.insert(0..<1)
    }

    /// Serves a daily feed that was generated `hours` ago, with an ETag, so that later requests are answered with 304.
    private func serve(hoursAgo hours: Int64) {
        let generated = now - .seconds(hours * 3600)
        let quake = Quake(sample: "us1", time: generated - .seconds(60), updated: generated)
        let feed = FeedText.document(
            "https://earthquake.usgs.gov/earthquakes/feed/v1.0/summary/all_day.geojson", generated: generated,
            features: [FeedText.feature(quake)])
        server.serve(.document(feed, etag: "\"\(hours)\""), at: "/all_day.geojson")
    }

    private func refresh() async throws -> ProcessResult {
        let result = try await cache.run(
            "refresh", "-q", "all_day", "--base-url", server.base, "--no-confirm-with-service")
        #expect(result.exitStatus == 0 && result.output.isEmpty, "\(result.errorOutput)")
        return result
    }

    private func isStale() async throws -> Bool {
        let problems = try await cache.json("status", "--format", "json")["problems"].elements
        return problems.contains { $0["code"].text == "stale" }
    }

    @Test("quakes refresh -q warns about stale data only once a day")
    func refreshReportsStaleData() async throws {
        serve(hoursAgo: 30)
        let words = "quakes: The data is stale: the data ends at "
        let first = try await refresh().errorOutput
        #expect(first.hasPrefix(words) && first.count { $0 == "\n" } == 1, "\(first)")
        #expect(try await refresh().errorOutput.isEmpty)
        #expect(server.requests.last?.headers["if-none-match"] == "\"30\"")
        #expect(try await isStale())
        // No source is called so.
        #expect(try await cache.json("status", "--format", "json")["feeds"].elements.count == 1)

        let sources = try QuakeContext(QuakeCache(path: cache.path)).sources
        var notice = try #require(try sources.staleNotice())
        notice.time = now - .seconds(86_401)
        try sources.save(notice)
        #expect(try await refresh().errorOutput.hasPrefix(words))
        #expect(try await refresh().errorOutput.isEmpty)

        serve(hoursAgo: 0)
        #expect(try await refresh().errorOutput.isEmpty)
        #expect(try await !isStale())
        #expect(try sources.staleNotice() == nil)
    }

    @Test("quakes refresh of a file or with --dry-run never warns about stale data") func noReportForFiles()
        async throws
    {
        let feed = Fixture.url("feeds/all_day-1.geojson").path
        #expect(try await cache.run("refresh", "-q", feed).errorOutput.isEmpty)
        serve(hoursAgo: 30)
        let dryRun = try await cache.run("refresh", "-q", "-n", "all_day", "--base-url", server.base)
        #expect(dryRun.exitStatus == 0 && dryRun.errorOutput.isEmpty)
    }

    @Test("quakes watch reports when the data is stale and when it is current again")
    func watchReportsStaleData() async throws {
        serve(hoursAgo: 30)
        let shell = ProcessRunner(path: "/bin/sh", environment: cache.quakes.environment)
        let watch = [
            "-c", "exec \"$@\" 2>&1 >/dev/null", "sh", cache.quakes.executable, "watch", "all_day", "--interval", "1s",
            "--base-url", server.base,
        ]
        let lines = try await shell.whileRunning(watch) { process in
            var lines: [String] = []
            while let line = try await process.nextLine() {
                lines.append(line)
                if line.contains("current again") { break }
                let count = server.requests.count
                while server.requests.count < count + 2 { try await Task.sleep(for: .milliseconds(5)) }
                serve(hoursAgo: 0)
            }
            return lines
        }.0
        #expect(lines.count == 2 && lines[0].hasPrefix("quakes: The data is stale: "), "\(lines)")
        #expect(lines.last == "quakes: The data is current again.")
    }
}
