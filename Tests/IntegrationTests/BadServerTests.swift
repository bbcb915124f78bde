import Foundation
import QuakeTestSupport
import Testing

/// Whatever a server does, the quakes and their history stay unchanged.
@Suite("Refreshing from a server that fails", .timeLimit(.minutes(5)))
struct BadServerTests {
    /// Fills a cache, refreshes it from `url`, and expects `status` and no change except the record of the failure.
    private func expect(
        _ status: Int32, from url: String, options: [String] = [], saying words: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await withCache { cache, _ async throws in
            try await cache.refresh("all_day-1")
            let token = try await cache.token()
            let quakes = try await cache.output("list", "--format", "ndjson")
            let result = try await cache.quakes.run(["refresh", url] + options)
            #expect(result.exitStatus == status, "\(result.errorOutput)", sourceLocation: sourceLocation)
            #expect(result.output.isEmpty, sourceLocation: sourceLocation)
            #expect(result.errorOutput.hasPrefix("quakes: "), sourceLocation: sourceLocation)
            #expect(result.errorOutput.split(separator: "\n").count == 1, sourceLocation: sourceLocation)
            #expect(result.errorOutput.contains(words), "\(result.errorOutput)", sourceLocation: sourceLocation)
            #expect(try await cache.token() == token, sourceLocation: sourceLocation)
            #expect(try await cache.output("list", "--format", "ndjson") == quakes, sourceLocation: sourceLocation)
        }
    }

    @Test("404, 403 and 500 give 69", arguments: [404, 403, 500])
    func failures(status: Int) async throws {
        try await withServer { server in
            server.serveEverything(ServedAnswer(status: status, body: Data("<html>no</html>".utf8)))
            try await expect(69, from: server.url("/all_day.geojson"), saying: "status \(status)")
        }
    }

    @Test("A body that breaks off gives 65")
    func truncated() async throws {
        try await withMisbehavingServer(.truncatedBody(announced: 90_000, sent: 500)) { server in
            try await expect(65, from: server.url(), saying: "was cut off")
        }
    }

    @Test("A body that drips ends at the deadline with 69")
    func drip() async throws {
        try await withMisbehavingServer(.drip(every: .milliseconds(200))) { server in
            try await expect(69, from: server.url(), options: ["--timeout", "1s"], saying: "timed out")
        }
    }

    @Test("429 and 503 give 75, and the moment they name is kept to without asking", arguments: [429, 503])
    func retryAfter(status: Int) async throws {
        try await withServer { server in
            server.serveEverything(ServedAnswer(status: status, headers: ["Retry-After": "3600"]))
            try await withCache(environment: ["QUAKES_BASE_URL": server.base]) { cache, _ async throws in
                for _ in 1...3 {
                    let result = try await cache.run("refresh", "all_day")
                    #expect(result.exitStatus == 75, "\(result.errorOutput)")
                    let words =
                        /127\.0\.0\.1 asked clients to wait until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC \(status (\d+)\)\./
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
    }
}
