import Foundation
import QuakeTestSupport
import Testing

/// Whatever a server does, the quakes and their history stay unchanged.
@Suite("Refreshing from a failing server", .endsInTime, .scratch) struct BadServerTests {
    @Test(
        "If a download fails, times out or is cut off, quakes refresh leaves the cache unchanged",
        arguments: [
            (.answer("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"), 69, "status 404"),
            (.answer("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n"), 69, "status 403"),
            (.answer("HTTP/1.1 500 Broken\r\nContent-Length: 0\r\n\r\n"), 69, "status 500"),
            (.truncatedBody(announced: 90_000, sent: 500), 65, "was cut off"),
            (.drip(every: .milliseconds(200)), 69, "timed out"),
        ] as [(Misbehavior, Int32, String)])
    func failedDownload(misbehavior: Misbehavior, status: Int32, words: String) async throws {
        let server = try MisbehavingServer.ofTest(misbehavior)
        let cache = try await Cache.ofDay()
        let token = try await cache.token()
        let quakes = try await cache.output("list", "--format", "ndjson")
        let result = try await cache.run("refresh", server.url("/all_day.geojson"), "--timeout", "1s")
        #expect(result.exitStatus == status && result.output.isEmpty)
        #expect(result.errorOutput.hasPrefix("quakes: ") && result.errorOutput.contains(words))
        let lines = result.errorOutput.split(separator: "\n")
        #expect(lines.filter { !$0.contains("is stale") }.count == 1, "\(result.errorOutput)")
        #expect(try await cache.token() == token)
        #expect(try await cache.output("list", "--format", "ndjson") == quakes)
    }

    @Test(
        "quakes refresh exits with 75 and sends nothing during the Retry-After of a 429 or 503", arguments: [429, 503])
    func retryAfter(status: Int) async throws {
        let server = try FeedServer.ofTest()
        server.serveEverything(ServedAnswer(status: status, headers: ["Retry-After": "3600"]))
        let cache = try Cache.ofTest(environment: ["QUAKES_BASE_URL": server.base])
        for _ in 1...3 {
            let result = try await cache.run("refresh", "all_day")
            #expect(result.exitStatus == 75, "\(result.errorOutput)")
            let words = /127\.0\.0\.1 asked clients to wait until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC \(status (\d+)\)\./
            let told = try #require(result.errorOutput.firstMatch(of: words), "\(result.errorOutput)")
            #expect(told.1 == "\(status)")
        }
        // cron mails any output: here, that no refresh has ever succeeded.
        let quiet = try await cache.run("refresh", "-q", "all_day")
        #expect(quiet.exitStatus == 75 && quiet.output.isEmpty && !quiet.errorOutput.isEmpty)
        #expect(server.requests.count == 1)
        let feed = try await cache.json("status", "--format", "json")["feeds"].elements.first
        #expect(feed?["not_before"].isNull == false)
    }
}
