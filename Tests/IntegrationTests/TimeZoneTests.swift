import Foundation
import QuakeStore
import QuakeTestSupport
import Testing

/// Each process has one time zone, so each case is a separate process.
@Suite("Time zones", .endsInTime, .scratch) struct TimeZoneTests {
    private static let berlin = "/usr/share/zoneinfo/Europe/Berlin"

    @Test(
        "quakes list prints the same local times as date(1) in ten zones, from 1843 to 2112",
        .enabled(if: FileManager.default.fileExists(atPath: berlin)))
    func agreesWithDate() async throws {
        var random = SplitMix64(state: 14)
        let seconds = (0..<300).map { _ in Int64.random(in: -4_000_000_000...4_500_000_000, using: &random) }.sorted()
        let cache = try Cache.ofTest()
        try Self.write(seconds, to: cache)
        for zone in [
            "Europe/Berlin", "America/Los_Angeles", "Australia/Lord_Howe", "Asia/Kathmandu", "America/Nuuk",
            "Africa/Casablanca", "Pacific/Apia", "Europe/Dublin", "America/Argentina/San_Luis", "Antarctica/Troll",
        ] {
            let listing = ["list", "--reverse", "--template", "{time}", "--tz"]
            let named = try await cache.quakes.run(listing + [zone])
            let date = try await ProcessRunner(path: "/bin/date", environment: ["TZ": zone, "LC_ALL": "C"])
                .run("--file=-", "+%Y-%m-%d %H:%M:%S %Z", input: Data(seconds.map { "@\($0)\n" }.joined().utf8))
            #expect(named.output == date.output && date.exitStatus == 0, "\(zone): \(named.errorOutput)")
            var local = cache.quakes
            local.environment["TZ"] = zone
            #expect(try await local.run(listing + ["local"]).output == date.output, "\(zone)")
        }
    }

    @Test(
        "With --tz local, times are in the zone of $TZ, or in UTC if $TZ is invalid",
        arguments: [
            ("JST-9", "1970-01-01 09:00:00 JST"), ("HST10", "1969-12-31 14:00:00 HST"), ("", "1970-01-01 00:00:00 UTC"),
            ("<+14>-14", "1970-01-01 14:00:00 +14"), (":JST-9", "1970-01-01 09:00:00 JST"),
            ("nonsense", "1970-01-01 00:00:00 nonsense"), ("../../etc/passwd", "1970-01-01 00:00:00 UTC"),
            ("/etc/passwd", "1970-01-01 00:00:00 UTC"), (":/dev/zero", "1970-01-01 00:00:00 UTC"),
            ("/no/such/file", "1970-01-01 00:00:00 UTC"), ("\u{1B}[31mred", "1970-01-01 00:00:00 UTC"),
            (String(repeating: "A/", count: 60_000), "1970-01-01 00:00:00 UTC"),
        ])
    func local(variable: String, words: String) async throws {
        let cache = try Cache.ofTest(environment: ["TZ": variable])
        try Self.write([0], to: cache)
        #expect(try await cache.output("list", "--template", "{time}", "--tz", "local") == words + "\n")
        #expect(try await cache.output("list", "--template", "{time}") == "1970-01-01 00:00:00 UTC\n")
    }

    @Test(
        "quakes exits with 64 if the --tz zone is unknown or its zone file is unreadable",
        .enabled(if: FileManager.default.fileExists(atPath: berlin)))
    func zoneNames() async throws {
        let scratch = try ScratchDirectory.ofTest()
        let folder = scratch.url.appending(path: "zoneinfo/Europe")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let berlin = try Data(contentsOf: URL(filePath: Self.berlin))
        try berlin.write(to: folder.appending(path: "Berlin"))
        try berlin.prefix(60).write(to: folder.appending(path: "Short"))
        try Data("EST5EDT, no zone at all".utf8).write(to: folder.appending(path: "Words"))
        try Data(count: 5_000_000).write(to: folder.appending(path: "Zeros"))
        try FileManager.default.createSymbolicLink(
            at: folder.appending(path: "Loop"), withDestinationURL: folder.appending(path: "Loop"))
        let cache = Cache(in: scratch, environment: ["TZDIR": scratch.path("zoneinfo"), "TZ": "HST10"])
        try Self.write([0], to: cache)
        for (name, words) in [
            ("Europe/Berlin", "1970-01-01 01:00:00 CET"), ("UTC", "1970-01-01 00:00:00 UTC"),
            ("utc", "1970-01-01 00:00:00 UTC"), ("+09:00", "1970-01-01 09:00:00 +0900"),
            ("-03:30", "1969-12-31 20:30:00 -0330"),
        ] {
            #expect(try await cache.output("list", "--template", "{time}", "--tz", name) == words + "\n")
        }
        for (name, remedy) in [
            ("Europe/Berln", "Use local, UTC"), ("berlin", "Did you mean Europe/Berlin?"),
            ("Nowhere at all", "Use local, UTC"), ("JST-9", "Use local, UTC"), ("+24:00", "Use local, UTC"),
            ("PST", "Use local, UTC, a name such as America/Los_Angeles, or an offset such as +09:00."),
            (":Europe/Berlin", "Did you mean Europe/Berlin?"), ("Europe", "There is no time zone"),
            ("../zoneinfo/Europe/Berlin", "Did you mean Europe/Berlin?"),
            (folder.path + "/Berlin", "Did you mean Europe/Berlin?"), ("Europe/Short", "There is no time zone"),
            ("Europe/Words", "There is no time zone"), ("Europe/Zeros", "There is no time zone"),
            ("Europe/Loop", "There is no time zone"),
            (String(repeating: "A", count: 60_000), "There is no time zone"),
        ] {
            let result = try await cache.run("list", "--tz", name)
            #expect(result.exitStatus == 64 && result.output.isEmpty, "\(name.prefix(40))")
            #expect(result.errorOutput.contains(remedy), "\(name.prefix(40)): \(result.errorOutput.prefix(200))")
        }
        let empty = Cache(in: scratch, environment: ["TZDIR": scratch.path("none")])
        let result = try await empty.run("list", "--tz", "Europe/Berlin")
        #expect(result.exitStatus == 64 && result.errorOutput.contains("There is no time zone data in"))
    }

    @Test("Table headers name the selected time zone, such as \"TIME (LOCAL)\"") func tables() async throws {
        let cache = try await Cache.ofDay(environment: ["TZ": "<+14>-14"])
        #expect(try await cache.output("list", "--tz", "local").hasPrefix("TIME (LOCAL)"))
        let days = try await cache.output("changes", "--tz", "local").split(separator: "\n")
        #expect(days.contains { $0.hasSuffix(" local") })
        let show = try await cache.output("show", "us7000zzay", "--tz", "local")
        #expect(show.contains(" +14, ") && show.contains("RECORDED (LOCAL)"))
        let machine = ["list", "--fields", "time", "--format", "csv", "--limit", "1"]
        let record = try await cache.quakes.run(machine).output.split(separator: "\n")
        let local = try await cache.quakes.run(machine + ["--tz", "local"]).output.split(separator: "\n")
        #expect(local[0] == "time,local_time" && local[1].hasPrefix(record[1] + ","))
    }

    @Test("An --exec command sees the caller's $TZ, even if --tz is given") func exec() async throws {
        let cache = try await Cache.ofDay(environment: ["TZ": "HST10"])
        let output = try await cache.output("changes", "--tz", "Europe/Berlin", "--exec", "cat > /dev/null; echo $TZ")
        #expect(output == "HST10\n")
    }

    private static let day = ["--since", "2021-07-20", "--until", "2021-07-21"]

    /// Another program counted these numbers.
    @Test("Dates in --since and --until begin at midnight in the zone of --tz or $QUAKES_TZ", .needsRealData)
    func days() async throws {
        let cache = try Cache.ofTest()
        try await cache.refreshWeeks("22T2039Z")
        var withVariable = cache.quakes
        withVariable.environment["QUAKES_TZ"] = "America/Los_Angeles"
        for (words, inUTC, inZone) in [
            (["list", "--count"] + Self.day, "409\n", "411\n"),
            (["list", "--count", "--since", "2021-07-20 00:00", "--until", "2021-07-21T00:00"], "409\n", "411\n"),
            (["list", "--count", "--since", "2021-07-20T00:00Z", "--until", "2021-07-21T00:00Z"], "409\n", "409\n"),
            (["summary", "--format", "csv"] + Self.day, "quakes,,409\n", "quakes,,411\n"),
            (["details", "--dry-run"] + Self.day, "409 requests", "411 requests"),
            (["map", "--format", "svg"] + Self.day, "409 quakes", "411 quakes"),
            (["purge", "--dry-run", "--before", "2021-07-20"], "2,095 quakes", "2,221 quakes"),
        ] {
            for (runner, words, expected) in [
                (cache.quakes, words, inUTC), (withVariable, words, inZone),
                (withVariable, words + ["--tz", "UTC"], inUTC),
                (cache.quakes, words + ["--tz", "America/Los_Angeles"], inZone),
            ] {
                let result = try await runner.run(words)
                #expect(result.exitStatus == 0 && result.output.contains(expected), "\(words): \(result.output)")
            }
        }
    }

    /// Writes a quake for each of `seconds`, counted from 1970.
    private static func write(_ seconds: [Int64], to cache: Cache) throws {
        try QuakeContext(QuakeCache(path: cache.path), access: .creating).write { writer in
            for (number, time) in seconds.enumerated() {
                let quake = Quake(sample: "us\(1000 + number)", time: Timestamp(milliseconds: time * 1000))
                try writer.insert(quake, reason: .new)
            }
        }
    }
}
