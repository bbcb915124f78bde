import Foundation
import QuakeTestSupport
import Testing

@Suite(
    "Answers without quakes, before the history and of old data explain themselves", .timeLimit(.minutes(5)), .scratch)
struct EmptyAnswerTests {
    /// A cache that has read a real week, up to 22 July 2021, just now.
    private func withRealWeek(_ body: (Cache) async throws -> Void) async throws {
        try await withCache { cache, _ async throws in
            try await cache.output(
                "refresh", RealData.url("feeds/all_week__2021-07-22T2039Z__api1.10.3.geojson").path)
            try await body(cache)
        }
    }

    @Test(
        "Where the times leave nothing, every command says when the newest quake was", .needsRealData,
        arguments: [
            ["list"], ["list", "--count"], ["list", "--format", "csv"], ["list", "--ids"], ["map", "--format", "svg"],
            ["summary"], ["summary", "--format", "json"], ["details", "--dry-run"],
        ])
    func newest(command: [String]) async throws {
        try await withRealWeek { cache async throws in
            func remark(_ arguments: String...) async throws -> String {
                let result = try await cache.quakes.run(command + arguments)
                #expect(result.exitStatus == 0, "\(result.errorOutput)")
                return result.errorOutput
            }
            #expect(
                try await remark("--since", "7d") == "quakes: no quakes match; newest quake: 2021-07-22 20:37 UTC\n")
            #expect(
                try await remark("--since", "7d", "--tz", "America/Los_Angeles")
                    == "quakes: no quakes match; newest quake: 2021-07-22 13:37 America/Los_Angeles\n")
            let before = try await remark("--until", "2020")
            #expect(before.hasPrefix("quakes: no quakes match; oldest quake: 2021-07-15 20:"))
            #expect(
                try await remark("--since", "2021-07-20T00:00:00.000Z", "--until", "2021-07-20T00:00:00.001Z")
                    == "quakes: no quakes match; the cache has none in this time range\n")
            // Something else than the times leaves nothing.
            #expect(try await remark("--min-mag", "9.9").isEmpty)
            #expect(try await remark("--since", "2021-07-20", "--min-mag", "9.9").isEmpty)
            #expect(try await remark("--since", "7d", "-q").isEmpty)
        }
    }

    @Test(
        "A state before the history is proposed by its time of publication, where that can be answered", .needsRealData)
    func publishedState() async throws {
        try await withRealWeek { cache async throws in
            for command in [["list", "--at"], ["summary", "--at"], ["map", "--at"], ["status", "--at"], ["diff"]] {
                let refused = try await cache.quakes.run(command + ["2021-07-23"])
                #expect(refused.exitStatus == 3 && refused.output.isEmpty)
                #expect(refused.errorOutput.contains("the history begins at 20"))
                #expect(
                    refused.errorOutput.contains("`published:2021-07-23` shows what USGS had published by then.")
                )
                #expect(try await cache.quakes.run(command + ["published:2021-07-23"]).exitStatus == 0)
            }
            let zone = try await cache.run("list", "--at", "2021-07-23", "--tz", "America/Los_Angeles").errorOutput
            #expect(zone.contains("`published:2021-07-23T07:00:00.000Z`"))
            let never = try await cache.run("list", "--at", "2021-07-20")
            #expect(never.exitStatus == 3 && !never.errorOutput.contains("published"))
        }
    }

    @Test("status --max-age counts the age of the data, and says what is old", .needsRealData)
    func dataAge() async throws {
        try await withRealWeek { cache async throws in
            let stale = try await cache.run("status", "--max-age", "1h", "--format", "json")
            #expect(stale.exitStatus == 5)
            let problem = try #require(try JSONValue(stale.standardOutput)["problems"].elements.first)
            #expect(problem["code"].text == "stale")
            let message = try #require(problem["message"].text)
            #expect(message.hasPrefix("the newest data was generated ") && message.contains(", though it was read "))
            #expect(try await cache.run("status", "--max-age", "7300d").exitStatus == 0)
            // An archive is no problem where nobody asks for an age.
            #expect(try await cache.json("status", "--format", "json")["problems"].elements.isEmpty)
        }
        let (cache, scratch) = try Cache.andFolderOfTest()
        var document =
            try JSONSerialization.jsonObject(
                with: Data(contentsOf: Fixture.url("feeds/all_day-1.geojson"))) as? [String: Any]
        var metadata = document?["metadata"] as? [String: Any]
        metadata?["generated"] = Int(Date().timeIntervalSince1970 * 1000)
        metadata?["count"] = 0
        document?["metadata"] = metadata
        document?["features"] = [Any]()
        let path = scratch.path("all_day.geojson")
        try JSONSerialization.data(withJSONObject: #require(document)).write(to: URL(filePath: path))
        try await cache.output("refresh", path)
        #expect(try await cache.run("status", "--max-age", "1h").exitStatus == 0)
    }
}
