import Foundation
import QuakeTestSupport
import Testing

@Suite("Refreshing from a server", .timeLimit(.minutes(5)), .scratch)
struct ServerTests {
    private static let day1 = try? Fixture.data("feeds/all_day-1.geojson")
    private static let day2 = try? Fixture.data("feeds/all_day-2.geojson")

    @Test("The first answer is kept, the second is 304 by ETag, the third is new")
    func conditionalRequests() async throws {
        let (first, second) = (try #require(Self.day1), try #require(Self.day2))
        try await withServer { server in
            try await withCache(environment: ["QUAKES_BASE_URL": server.base]) { cache, _ async throws in
                server.serve(.document(first, etag: "\"1\""), at: "/all_day.geojson")
                #expect(try await cache.output("refresh", "all_day").hasPrefix("all_day: 24 in feed, 24 new"))
                #expect(try await cache.output("refresh", "all_day") == "all_day: not modified\n")
                #expect(server.requests.last?.headers["if-none-match"] == "\"1\"")
                #expect(server.requests.last?.headers["user-agent"]?.hasPrefix("quakes/") == true)
                server.serve(.document(second, etag: "\"2\""), at: "/all_day.geojson")
                #expect(try await cache.output("refresh", "all_day").contains("4 new, 5 changed, 16 unchanged"))
                #expect(try await cache.output("refresh", "all_day") == "all_day: not modified\n")
            }
        }
    }

    @Test("Every name of a summary feed leads to its file")
    func feedNames() async throws {
        let bands = ["significant", "4.5", "2.5", "1.0", "all"]
        let names = bands.flatMap { band in ["hour", "day", "week", "month"].map { "\(band)_\($0)" } }
        try await withServer { server in
            try await withCache(environment: ["QUAKES_BASE_URL": server.base]) { cache, _ async throws in
                server.serveEverything(ServedAnswer(status: 404))
                let result = try await cache.quakes.run(["refresh"] + names)
                #expect(result.exitStatus == 69)
                #expect(Set(server.requests.map(\.path)) == Set(names.map { "/\($0).geojson" }))
            }
        }
    }

    @Test("A name that is almost a feed's is answered with the feed's", arguments: ["all-day", "al_day", "ALL-DAY"])
    func unknownName(name: String) async throws {
        let cache = try Cache.ofTest()
        let result = try await cache.run("refresh", name)
        #expect(result.exitStatus == 64)
        #expect(result.errorOutput == "quakes: There is no feed called \"\(name)\". Did you mean all_day?\n")
        #expect(!FileManager.default.fileExists(atPath: cache.path))
    }

    @Test("-v tells which cache is meant and what is read, -q nothing at all")
    func verbosity() async throws {
        let cache = try Cache.ofTest()
        let feed = Fixture.url("feeds/all_day-1.geojson").path
        let result = try await cache.run("refresh", "-v", feed)
        #expect(result.errorOutput == "quakes: the cache is \(cache.path)\nquakes: reading \(feed)\n")
        #expect(result.output.contains("(all_day): 24 in feed"))
        let quiet = try await cache.run("refresh", "-q", feed)
        #expect(quiet.output.isEmpty && quiet.errorOutput.isEmpty && quiet.exitStatus == 0)
    }

    @Test("Standard input and a compressed answer are feeds like any other")
    func otherWays() async throws {
        let (first, second) = (try #require(Self.day1), try #require(Self.day2))
        try await withServer { server in
            server.serve(.compressed(second), at: "/all_day.geojson")
            try await withCache { cache, _ async throws in
                #expect(try await cache.run("refresh", "-", input: first).output.contains("24 new"))
                let report = try await cache.output("refresh", server.url("/all_day.geojson"))
                #expect(report.contains("4 new, 5 changed"))
            }
        }
    }
}
