import Foundation
import QuakeStore
import QuakeTestSupport
import Testing

@Suite("Remarks on data that the cache lacks for the requested times", .endsInTime, .scratch) struct MissingDataTests {
    private let cache: Cache

    /// Reads a real week, up to July 22, 2021.
    init() async throws {
        cache = try .ofTest()
        try await cache.refreshWeeks("22T2039Z")
    }

    private static let end = "quakes: the data ends at 2021-07-22 20:39 UTC, so later quakes are missing.\n"

    @Test(
        "Commands print when the cache's data ends only if later times are requested",
        .needsRealData,
        arguments: [
            ["list"], ["list", "--count"], ["list", "--format", "csv"], ["list", "--ids"], ["map", "--format", "svg"],
            ["summary"], ["summary", "--format", "json"], ["summary", "--by", "type"], ["details", "--dry-run"],
        ])
    func endOfData(command: [String]) async throws {
        func remark(_ arguments: String...) async throws -> String {
            let result = try await cache.quakes.run(command + arguments)
            #expect(result.exitStatus == 0, "\(result.errorOutput)")
            return result.errorOutput
        }
        for since in ["7d", "2030", "2021-07-20"] { #expect(try await remark("--since", since) == Self.end) }
        #expect(
            try await remark("--since", "7d", "--tz", "America/Los_Angeles")
                == "quakes: the data ends at 2021-07-22 13:39 America/Los_Angeles, so later quakes are missing.\n")
        #expect(try await remark("--since", "2021-07-20", "--until", "2021-07-22T22:39").isEmpty)
        #expect(try await remark("--since", "2021-07-20", "--until", "2021-07-22T22:40") == Self.end)
        #expect(try await remark("--since", "7d", "-q").isEmpty)
        #expect(
            try await remark("--until", "2020").hasPrefix(
                "quakes: data may be missing before 2020-01-01 00:00 UTC"))
        // Before the covered times, whether or not quakes match.
        for least in ["0.01", "9.9"] {
            let early = try await remark("--since", "2021-07-01", "--until", "2021-07-20", "--min-mag", least)
            #expect(
                early == """
                    quakes: data may be missing from 2021-07-01 00:00 to 2021-07-15 20:39 UTC (`quakes backfill \
                    --since 2021-07-01T00:00Z --until 2021-07-20T00:00Z --min-mag \(least)` fetches it).

                    """)
        }
    }

    @Test("Without --since or --until, quakes list, summary and map print no missing-data warning", .needsRealData)
    func noRequestedTimes() async throws {
        #expect(try await cache.run("list", "--limit", "1").errorOutput.isEmpty)
        for command in [["summary"], ["map", "--format", "svg"]] {
            let result = try await cache.quakes.run(command)
            #expect(result.errorOutput.isEmpty && result.output.contains(/ata through 2021-07-22 20:39 UTC/))
        }
        let text = try await cache.run("summary", "--since", "2030").output
        #expect(text.hasPrefix("No quakes match. (Data through 2021-07-22 20:39 UTC.)\n"))
        let week = try await cache.run("summary", "--since", "2021-07-21").output
        #expect(week.split(separator: "\n")[0].hasSuffix(" (Data through 2021-07-22 20:39 UTC.)"))
        for command in ["summary", "status"] {
            #expect(try await cache.json(command, "--format", "json")["data_ends"].text == "2021-07-22T20:39:44.000Z")
        }
    }

    @Test("quakes list --at and quakes diff print when the data of the selected past state ends", .needsRealData)
    func pastStates() async throws {
        try await cache.refreshWeeks("20T1423Z")
        let words = { (age: String) in
            "quakes: feeds were not imported in the order of their publication, so quakes published by the requested "
                + "time may be missing; the data ends at 2021-07-20 14:23 UTC (\(age) before "
                + "2021-07-21 00:00 UTC), so later quakes and changes may be missing.\n"
        }
        let between = try await cache.run("list", "--at", "published:2021-07-21", "--count")
        #expect(between.errorOutput == words("9 hours"), "\(between.errorOutput)")
        let same = try await cache.run("diff", "published:2021-07-20T15:00", "published:2021-07-21")
        #expect(same.errorOutput.hasSuffix(words("9 hours")), "\(same.errorOutput)")
        #expect(try await cache.run("list", "--at", "published:2021-07-22T21:00").errorOutput.isEmpty)
        // Ages count back from the state.
        let ids = { try await cache.run("list", "--at", "published:2021-07-21", "--ids", "--since", $0).output }
        let (age, time) = (try await ids("1d"), try await ids("2021-07-20"))
        #expect(age == time && !age.isEmpty)
    }

    @Test(
        "For an --at time before the history begins, the error suggests a published:TIME that works", .needsRealData)
    func proposesPublicationTime() async throws {
        for command in [["list", "--at"], ["summary", "--at"], ["map", "--at"], ["status", "--at"], ["diff"]] {
            let refused = try await cache.quakes.run(command + ["2021-07-23"])
            #expect(refused.exitStatus == 3 && refused.output.isEmpty)
            #expect(refused.errorOutput.contains("the history begins at 20"))
            let proposed = command == ["diff"] ? "diff published:2021-07-23 now`." : "use `published:2021-07-23`."
            #expect(refused.errorOutput.contains(proposed), "\(refused.errorOutput)")
            #expect(try await cache.quakes.run(command + ["published:2021-07-23"]).exitStatus == 0)
        }
        let zone = try await cache.run("list", "--at", "2021-07-23", "--tz", "America/Los_Angeles").errorOutput
        #expect(zone.contains("`published:2021-07-23T07:00:00Z`"))
        // The first snapshot comes nearest to a time before it.
        for command in [["list", "--at"], ["diff"]] {
            let refused = try await cache.quakes.run(command + ["2021-07-20"])
            let found = refused.errorOutput.firstMatch(of: /published:2021-07-22T20:39[^` ]*/)
            let state = String(try #require(found, "\(refused.errorOutput)").output)
            #expect(try await cache.quakes.run(command + [state]).exitStatus == 0)
        }
    }

    @Test("quakes status --max-age measures the data's age, not the time since the last download", .needsRealData)
    func dataAge() async throws {
        let stale = try await cache.run("status", "--max-age", "1h", "--format", "json")
        #expect(stale.exitStatus == 5)
        let problem = try #require(try JSONValue(stale.standardOutput)["problems"].elements.first)
        #expect(problem["code"].text == "stale")
        let message = try #require(problem["message"].text)
        #expect(message.hasPrefix("the data ends at ") && message.contains(", although "))
        #expect(try await cache.run("status", "--max-age", "7300d").exitStatus == 0)
        // Data older than its feed's reach is a problem even if no maximum age was given.
        let problems = try await cache.json("status", "--format", "json")["problems"].elements
        #expect(problems.map { $0["code"].text } == ["stale"])
        let text = try await cache.output("status")
        #expect(text.contains(#/\nrefreshed   .*; data through 2021-07-22 20:39 UTC \([0-9]+ years ago\)\n/#))
        let scratch = try ScratchDirectory.ofTest()
        let fresh = Cache(in: scratch, environment: ["QUAKES_DB": scratch.path("fresh.db")])
        let feed = FeedText.document("https://example.org/all_day.geojson", generated: .now, features: [])
        try await fresh.output("refresh", scratch.write(feed, to: "all_day.geojson"))
        #expect(try await fresh.run("status", "--max-age", "1h").exitStatus == 0)
    }
}
