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

    @Test("The time of a past state is one of --tz", .needsRealData)
    func pastStates() async throws {
        try await withRealWeek { cache in
            // The document was published at 20:39 UTC, 13:39 in Los Angeles.
            let point = "published:2021-07-22 13:40"
            for words in [
                ["list", "--count", "--at", point], ["summary", "--at", point], ["status", "--at", point],
                ["show", "us6000exs5", "--at", point], ["map", "--at", point], ["diff", point],
                ["changes", "--since", point],
            ] {
                let inUTC = try await cache.quakes.run(words)
                let inZone = try await cache.quakes.run(words + Self.zone)
                #expect(inZone.exitStatus == 0, "\(words): \(inZone.errorOutput)")
                #expect(inUTC.output != inZone.output, "\(words)")
            }
            let count = try await cache.quakes.run(["list", "--count", "--at", point] + Self.zone)
            #expect(count.output == "3280\n")
        }
    }

    @Test("Every format for programs has local_time with --tz, beside named fields too", .needsRealData)
    func localTime() async throws {
        try await withRealWeek { cache in
            let list = ["list", "--min-mag", "6.5", "--fields", "id,mag"]
            for (format, text) in [
                ("csv", "id,mag,local_time\nus6000exs5,6.7,2021-07-21 14:15:12\n"),
                ("tsv", "id\tmag\tlocal_time\nus6000exs5\t6.7\t2021-07-21 14:15:12\n"),
                ("ndjson", #"{"id":"us6000exs5","mag":6.7,"local_time":"2021-07-21 14:15:12"}"# + "\n"),
                ("json", "[\n" + #"{"id":"us6000exs5","mag":6.7,"local_time":"2021-07-21 14:15:12"}"# + "\n]\n"),
            ] {
                let words = list + ["--format", format]
                let (plain, local) = (try await cache.quakes.run(words), try await cache.quakes.run(words + Self.zone))
                #expect(local.output == text && !plain.output.contains("local_time"))
            }
            let named = list.dropLast() + ["local_time,id", "--format", "csv"] + Self.zone
            let record = try await cache.quakes.run(named)
            #expect(record.output == "local_time,id\n2021-07-21 14:15:12,us6000exs5\n")
            let member = #""local_time":"2021-07-21 14:15:12""#
            for words in [
                ["list", "--min-mag", "6.5", "--format", "json"], list + ["--format", "geojson"],
                ["show", "us6000exs5", "--format", "json"], ["changes", "--min-mag", "6.5", "--format", "ndjson"],
                ["diff", "beginning", "--min-mag", "6.5", "--format", "json"],
            ] {
                let (plain, local) = (try await cache.quakes.run(words), try await cache.quakes.run(words + Self.zone))
                #expect(local.output.contains(member) && !plain.output.contains("local_time"), "\(words)")
            }
            let rows = ["changes", "--min-mag", "6.5", "--format", "csv", "--fields", "mag"]
            let columns = try await cache.quakes.run(rows + Self.zone).output.split(separator: "\n")
            #expect(columns[0].hasSuffix(",generated,local_time,mag_before,mag_after"))
            #expect(columns[1].hasSuffix(",2021-07-21 14:15:12,,6.7"))
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
