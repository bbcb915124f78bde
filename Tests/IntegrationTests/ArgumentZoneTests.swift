import Foundation
import QuakeTestSupport
import Testing

/// `--tz` says what a date without a zone means; the figures are those of a real week, counted with another program.
@Suite("The zone of dates on the command line", .timeLimit(.minutes(5)), .scratch)
struct ArgumentZoneTests {
    private static let zone = ["--tz", "America/Los_Angeles"]
    private static let day = ["--since", "2021-07-20", "--until", "2021-07-21"]

    private func withRealWeek(_ body: (Cache) async throws -> Void) async throws {
        try await withCache { cache, _ async throws in
            let path = try RealData.url("feeds/all_week__2021-07-22T2039Z__api1.10.3.geojson").path
            try await cache.output("refresh", path)
            try await body(cache)
        }
    }

    @Test("A day of --since and --until is one of --tz, in every command; a variable does not move it", .needsRealData)
    func days() async throws {
        try await withRealWeek { cache in
            var withVariable = cache.quakes
            withVariable.environment["QUAKES_TZ"] = "America/Los_Angeles"
            for (words, inUTC, inZone) in [
                (["list", "--count"] + Self.day, "409\n", "411\n"),
                (["list", "--count", "--since", "2021-07-20 00:00", "--until", "2021-07-21T00:00"], "409\n", "411\n"),
                (
                    ["list", "--count", "--since", "2021-07-20T00:00Z", "--until", "2021-07-21T00:00Z"], "409\n",
                    "409\n"
                ),
                (["summary", "--format", "csv"] + Self.day, "quakes,,409\n", "quakes,,411\n"),
                (["details", "--dry-run"] + Self.day, "409 requests", "411 requests"),
                (["map", "--format", "svg"] + Self.day, "409 quakes", "411 quakes"),
                (["purge", "--dry-run", "--before", "2021-07-20"], "2,095 quakes", "2,221 quakes"),
            ] {
                for (runner, words, expected) in [
                    (cache.quakes, words, inUTC), (withVariable, words, inUTC),
                    (cache.quakes, words + Self.zone, inZone),
                ] {
                    let result = try await runner.run(words)
                    #expect(result.exitStatus == 0 && result.output.contains(expected), "\(words): \(result.output)")
                }
            }
        }
    }

    @Test(
        "An abbreviation proposes a zone with the same clocks, and no other abbreviation",
        .enabled(if: FileManager.default.fileExists(atPath: "/usr/share/zoneinfo/America/Los_Angeles")),
        arguments: [
            ("PST", "Did you mean America/Los_Angeles?"), ("pdt", "Did you mean America/Los_Angeles?"),
            ("Pacific", "Did you mean America/Los_Angeles?"), ("CST", "Did you mean America/Chicago?"),
            ("JST", "Did you mean Asia/Tokyo?"), ("NZDT", "Did you mean Pacific/Auckland?"),
            ("XST", "Use local, UTC, or a name"), ("Los Angeles", "Did you mean America/Los_Angeles?"),
        ])
    func abbreviations(name: String, remedy: String) async throws {
        let cache = try Cache.ofTest()
        let result = try await cache.run("list", "--tz", name)
        #expect(result.exitStatus == 64 && result.errorOutput.contains(remedy), "\(result.errorOutput)")
    }
}
