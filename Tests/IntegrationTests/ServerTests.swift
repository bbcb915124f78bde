import Foundation
import QuakeStore
import QuakeTestSupport
import Testing

@Suite("Refreshing from a server", .endsInTime, .scratch) struct ServerTests {
    private static let day1 = try? Fixture.data("feeds/all_day-1.geojson")
    private static let day2 = try? Fixture.data("feeds/all_day-2.geojson")

    @Test("quakes refresh requests NAME.geojson for each of the 20 feed names") func feedNames() async throws {
        let bands = ["significant", "4.5", "2.5", "1.0", "all"]
        let names = bands.flatMap { band in ["hour", "day", "week", "month"].map { "\(band)_\($0)" } }
        let server = try FeedServer.ofTest()
        let cache = try Cache.ofTest(environment: ["QUAKES_BASE_URL": server.base])
        server.serveEverything(ServedAnswer(status: 404))
        #expect(try await cache.quakes.run(["refresh"] + names).exitStatus == 69)
        #expect(Set(server.requests.map(\.path)) == Set(names.map { "/\($0).geojson" }))
    }

    @Test("quakes refresh -v prints the cache's path and each source, and -q prints nothing") func verbosity()
        async throws
    {
        let cache = try Cache.ofTest()
        let feed = Fixture.url("feeds/all_day-1.geojson").path
        let result = try await cache.run("refresh", "-v", feed)
        let steps = ["the cache is \(cache.path)", "reading \(feed)", "created a new cache: \(cache.path)"]
        #expect(result.errorOutput == steps.map { "quakes: \($0)\n" }.joined())
        #expect(result.output.contains("(all_day): 24 in feed"))
        let quiet = try await cache.run("refresh", "-q", feed)
        #expect(quiet.output.isEmpty && quiet.errorOutput.isEmpty && quiet.exitStatus == 0)
    }

    @Test("quakes refresh says that it created a cache, even with -q, except at the default path")
    func newCacheIsReported()
        async throws
    {
        let (cache, scratch) = try Cache.andFolderOfTest()
        let feed = Fixture.url("feeds/all_day-1.geojson").path
        #expect(try await cache.run("refresh", "-q", "-n", feed).errorOutput.isEmpty)
        let quiet = scratch.path("quiet.db")
        let words = try await cache.run("refresh", "-q", "--db", quiet, feed).errorOutput
        #expect(words == "quakes: created a new cache: \(quiet)\n")
        let created = try await cache.run("refresh", feed)
        #expect(created.exitStatus == 0 && created.errorOutput == "quakes: created a new cache: \(cache.path)\n")
        let usual = scratch.path(".local/share/quakes/quakes.db")
        #expect(try await cache.run("refresh", "--db", usual, feed).errorOutput.isEmpty)
    }

    @Test("For a new cache, quakes refresh reads all_week if all_month fails, and reports the failure")
    func fallbackToShorterFeed() async throws {
        let server = try FeedServer.ofTest()
        server.serve(ServedAnswer(status: 404), at: "/all_month.geojson")
        let week = String(decoding: try #require(Self.day1), as: UTF8.self)
            .replacing("Past Day", with: "Past Week").replacing("all_day", with: "all_week")
        server.serve(.document(week), at: "/all_week.geojson")
        let cache = try Cache.ofTest(environment: ["QUAKES_BASE_URL": server.base])
        let result = try await cache.run("refresh", "-q")
        #expect(result.exitStatus == 0 && result.errorOutput.contains("/all_month.geojson returned status 404."))
        #expect(try await cache.output("list", "--count") == "24\n")
    }

    @Test("quakes refresh reads a feed from standard input or a gzip-compressed response") func otherInputs()
        async throws
    {
        let (first, second) = (try #require(Self.day1), try #require(Self.day2))
        let server = try FeedServer.ofTest()
        server.serve(try .compressed(second), at: "/all_day.geojson")
        let cache = try Cache.ofTest()
        #expect(try await cache.run("refresh", "-", input: first).output.contains("24 new"))
        #expect(try await cache.output("refresh", server.url("/all_day.geojson")).contains("4 new, 5 changed"))
    }

    /// The response of an event service that does not repeat the request, this many seconds after noon.
    private func answer(_ seconds: Int, id: String) -> Data {
        FeedText.document(
            "https://example.org/query", generated: .sample + .seconds(seconds),
            features: [FeedText.feature(Quake(sample: "us\(id)"))])
    }

    @Test("quakes refresh keeps a separate ETag for query URLs with different parameters")
    func differentQueries() async throws {
        let server = try FeedServer.ofTest()
        let cache = try Cache.ofTest()
        let strong = server.url("/query?format=geojson&minmagnitude=5")
        let weak = server.url("/query?format=geojson&minmagnitude=4")
        server.serve(.document(answer(100, id: "1a"), etag: "\"a\""), at: "/query")
        try await cache.output("refresh", strong)
        server.serve(.document(answer(0, id: "2b"), etag: "\"b\""), at: "/query")
        let output = try await cache.output("refresh", weak)
        #expect(output == "\(weak): 1 in feed, 1 new, 0 changed, 0 unchanged\n")
        #expect(server.requests.allSatisfy { $0.headers["if-none-match"] == nil })
        #expect(try await cache.output("refresh", weak).hasSuffix(": not modified\n"))
        let feeds = try await cache.json("status", "--format", "json")["feeds"].elements
        #expect(feeds.map { $0["name"].text } == [weak, strong])
        #expect(feeds.map { $0["url"].text } == [weak, strong])
    }
}
