import Foundation
import QuakeTestSupport
import Testing

/// Whatever a server does, the quakes and their history stay as they were.
@Suite("Refreshing from a server that fails", .timeLimit(.minutes(5)))
struct BadServerTests {
    /// Fills a cache, refreshes it from `url`, expects `status`, and that nothing but the note of the failure is new.
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

    @Test("A server that is down gives 69")
    func down() async throws {
        var address = ""
        try await withServer { address = $0.url("/all_day.geojson") }
        try await expect(69, from: address, saying: "Cannot connect to")
    }

    @Test("A name that does not exist gives 69")
    func unknownHost() async throws {
        try await expect(69, from: "http://feeds.invalid/all_day.geojson", saying: "Cannot resolve")
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

    @Test("A document that ends too early inside a whole answer gives 65")
    func truncatedDocument() async throws {
        let body = try Fixture.data("feeds/all_day-2.geojson")
        try await withServer { server in
            server.serveEverything(.document(body.prefix(body.count / 2)))
            try await expect(65, from: server.url("/all_day.geojson"), saying: "ends early")
        }
    }

    @Test("A web page instead of JSON gives 65")
    func webPage() async throws {
        try await withServer { server in
            server.serveEverything(.document("<!DOCTYPE html><html><body>Service unavailable</body></html>"))
            try await expect(65, from: server.url("/all_day.geojson"), saying: "web page")
        }
    }

    @Test("A body that drips ends at the deadline with 69")
    func drip() async throws {
        try await withMisbehavingServer(.drip(every: .milliseconds(200))) { server in
            try await expect(69, from: server.url(), options: ["--timeout", "1s"], saying: "timed out")
        }
    }

    @Test("A server that says nothing ends at the deadline with 69")
    func silence() async throws {
        try await withMisbehavingServer(.silence) { server in
            try await expect(69, from: server.url(), options: ["--timeout", "1s"], saying: "timed out")
        }
    }

    @Test("Redirects that never end give 69")
    func redirectLoop() async throws {
        try await withServer { server in
            server.serveEverything(.redirect(to: "/again"))
            try await expect(69, from: server.url("/all_day.geojson"), saying: "redirected more than")
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
                // cron mails whatever is printed: here, that no refresh has ever succeeded.
                let quiet = try await cache.run("refresh", "-q", "all_day")
                #expect(quiet.exitStatus == 75 && quiet.output.isEmpty && !quiet.errorOutput.isEmpty)
                #expect(server.requests.count == 1)
                let feed = try await cache.json("status", "--format", "json")["feeds"].elements.first
                #expect(feed?["not_before"].isNull == false)
            }
        }
    }

    @Test("A feed that fails does not stop the next one, and its failure stands in the status")
    func severalFeeds() async throws {
        let body = try Fixture.data("feeds/all_day-1.geojson")
        try await withServer { server in
            server.serve(.document(body), at: "/all_day.geojson")
            try await withCache(environment: ["QUAKES_BASE_URL": server.base]) { cache, _ async throws in
                let result = try await cache.run("refresh", "2.5_day", "all_day")
                #expect(result.exitStatus == 69)
                #expect(result.output.hasPrefix("all_day: 24 in feed"))
                #expect(try await cache.output("status").contains("status 404"))
            }
        }
    }
}

/// Serialized: each moves hundreds of megabytes.
@Suite(
    "Refreshing from a server that never stops", .serialized, .timeLimit(.minutes(5)),
    .disabled(if: Sanitizer.isActive, "a sanitizer multiplies the memory of a program"))
struct HugeBodyTests {
    @Test("300 MB are refused under 100 MB of memory, announced or not", arguments: [true, false])
    func hugeBody(isAnnounced: Bool) async throws {
        try await withMisbehavingServer(.hugeBody(bytes: 300_000_000, isAnnounced: isAnnounced)) { server in
            try await withCache { cache, _ async throws in
                try await cache.refresh("all_day-1")
                let token = try await cache.token()
                let result = try await cache.quakes.runMeasuringMemory(["refresh", server.url("/all_day.geojson")])
                #expect(result.exitStatus == 65)
                #expect(result.errorOutput.contains("larger than 64 MiB"))
                #expect(try #require(result.peakMegabytes) < 100)
                #expect(try #require(result.childPeakMegabytes) < 100)
                #expect(try await cache.token() == token)
            }
        }
    }
}
