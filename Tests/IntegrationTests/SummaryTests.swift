import Foundation
import QuakeStore
import QuakeTestSupport
import Testing

/// `quakes summary` prints the counts of an independent program.
@Suite("The summary of quakes", .scratch) struct SummaryTests {
    private static let hasNumPy = ProcessRunner.succeeds("python3", "-c", "import numpy")

    private static let script = Fixture.projectDirectory.appending(path: "Tests/Summary/check_summary.py").path

    @Test(
        "quakes summary of two real weeks agrees with a NumPy computation",
        .enabled(if: hasNumPy, "needs numpy for Python"), .needsRealData,
        arguments: [[], ["--min-mag", "2.5"], ["--type", "earthquake", "--net", "ci,nc"], ["--since", "2021-07-20"]])
    func agreesWithNumpy(options: [String]) async throws {
        let cache = try Cache.ofTest()
        try await cache.refreshWeeks("20T1423Z", "22T2039Z")
        let check = try await ProcessRunner(path: "/usr/bin/env")
            .run(["python3", Self.script, cache.quakes.executable, cache.path] + options)
        #expect(check.exitStatus == 0, "\(check.output)\(check.errorOutput)")
    }

    @Test("quakes summary --at TOKEN prints the same summary as when TOKEN was current") func pastState() async throws {
        let cache = try await Cache.ofDay()
        let before = try await cache.token()
        let first = try await cache.output("summary", "--format", "json")
        try await cache.refresh("all_day-2")
        #expect(try await cache.output("summary", "--format", "json", "--at", before) == first)
        #expect(try await cache.output("summary", "--format", "json") != first)
    }

    @Test("The first sentence of quakes summary counts other events separately from earthquakes")
    func firstSentence() async throws {
        let cache = try await Cache.ofDay()
        let report = try await cache.json("summary", "--format", "json")
        let types = report["types"].elements
        func count(_ isWanted: (String?) -> Bool) -> Int {
            types.filter { isWanted($0["name"].text) }.reduce(0) { $0 + Int($1["count"].number ?? 0) }
        }
        let (earthquakes, others) = (count { $0 == "earthquake" }, count { $0 != "earthquake" })
        let sentence = try #require(report["sentence"].text)
        #expect(earthquakes > 1 && others > 0)
        #expect(sentence.hasPrefix("\(earthquakes) earthquakes and \(others) other event"), "\(sentence)")
        #expect(try await cache.output("summary").hasPrefix(sentence + " (Data through 2026-03-14 "))
        let limited = try await cache.output("summary", "--type", "earthquake", "--min-mag", "2.5")
        #expect(limited.contains(" earthquakes of M 2.5 or more, "), "\(limited)")
        #expect(try await cache.json("summary", "--min-mag", "9.9", "--format", "json")["sentence"] == .null)
        let zoned = try await cache.output("summary", "--tz", "Asia/Tokyo")
        #expect(zoned.prefix { $0 != "\n" }.contains("(Asia/Tokyo)"))
    }

    @Test(
        "Each row of quakes summary --by has the count that quakes list prints for that group",
        arguments: ["day", "week", "month", "region", "type", "network"])
    func groupsMatchList(by group: String) async throws {
        let cache = try await Cache.ofDay()
        let zone = ["--tz", "America/Los_Angeles"]
        let rows = try await JSONValue(
            cache.quakes.run(["summary", "--by", group, "--format", "json"] + zone).standardOutput
        ).elements
        let option = ["region": "--region", "type": "--type", "network": "--net"][group]
        #expect(rows.count > (group == "week" || group == "month" ? 0 : 1))
        for row in rows {
            guard let name = row[group].text else { continue }
            let first = try #require(
                Timestamp(iso8601: group == "month" ? name + "-01" : option == nil ? name : "2026-01-01"))
            let next = (first + .seconds(86_400 * (group == "week" ? 7 : group == "month" ? 31 : 1))).iso8601.prefix(10)
            let choice = option.map { [$0, name] } ?? (["--since", name, "--until", String(next)] + zone)
            for (member, more) in [("quakes", []), ("earthquakes", ["--type", "earthquake"])] {
                guard group != "type" || more.isEmpty else { continue }
                let count = try await cache.quakes.run(["list", "--count"] + choice + more).output
                #expect(count == "\(Int(row[member].number ?? -1))\n", "\(name) \(member)")
            }
        }
        let csv = try await cache.quakes.run(["summary", "--by", group, "--format", "csv"] + zone).output
        #expect(
            csv.hasPrefix("\(group),quakes,earthquakes,largest,largest_type\(option == nil ? ",complete" : "")\n")
                && csv.split(separator: "\n").count == rows.count + 1
        )
        let text = try await cache.quakes.run(["summary", "--by", group] + zone).output
        #expect(text.split(separator: "\n").count == rows.count + 1)
    }

    /// A cache with the quakes of a day that ends at noon: three in Greece, of which the largest is an explosion, and
    /// one in Haiti.
    private func day() async throws -> Cache {
        let (cache, scratch) = try Cache.andFolderOfTest()
        let start = try #require(Timestamp(iso8601: "2021-07-22T06:00Z"))
        let quakes = [
            ("earthquake", 4.6, "6 km S of Agia Galini, Greece", 3), ("earthquake", 4.5, "1 km N of Fri, Greece", 90),
            ("experimental explosion", 5.9, "2 km W of Thira, Greece", 200), ("earthquake", 3.9, "Haiti region", 0),
        ]
        let features = quakes.enumerated().map { index, values in
            let place = Hypocenter(longitude: 25, latitude: 35, depthKilometers: 10)
            let time = start + .seconds(60 * index)
            var quake = Quake(
                sample: "uszz\(index)", at: place, time: time, updated: time, magnitude: values.1, place: values.2)
            (quake.eventType, quake.feltReports) = (values.0, values.3)
            return FeedText.feature(quake)
        }
        let address = "https://earthquake.usgs.gov/earthquakes/feed/v1.0/summary/all_day.geojson"
        let feed = FeedText.document(address, generated: start + .seconds(6 * 3_600), features: features)
        let path = try scratch.write(feed, to: "all_day.geojson")
        try await cache.output("refresh", path)
        return cache
    }

    @Test(
        "The first sentence of quakes summary names the filter, times and largest earthquake",
        arguments: [
            (
                ["--region", "Greece"],
                "2 earthquakes and 1 other event in the Greece region on July 22, 2021 (UTC). The largest earthquake "
                    + "was M 4.6, 6 km S of Agia Galini, Greece, on July 22, 2021; the one with the most felt reports "
                    + "(90) was M 4.5, 1 km N of Fri, Greece, on July 22, 2021."
            ),
            (
                ["--region", "Haiti", "--max-depth", "30"],
                "1 earthquake in the Haiti region (depth 30 km or less) on July 22, 2021 (UTC): M 3.9, Haiti region."
            ),
            (
                ["--type", "experimental explosion"],
                "1 experimental explosion on July 22, 2021 (UTC): M 5.9, 2 km W of Thira, Greece, with 200 felt "
                    + "reports."
            ),
            (
                ["--type", "earthquake", "--min-mag", "4.6", "--since", "2021-07-20", "--until", "2021-07-22T09:00Z"],
                "1 earthquake of M 4.6 or more between 12:00 on July 21 and 09:00 on July 22, 2021 (UTC): M 4.6, "
                    + "6 km S of Agia Galini, Greece, on July 22, 2021, with 3 felt reports."
            ),
            (
                ["--near", "35.1,25", "--radius", "20km", "--region", "Haiti", "--since", "2021-07-20"],
                "1 earthquake within 20 km of 35.1,25 in the Haiti region, July 21–22, 2021 (UTC): M 3.9, Haiti "
                    + "region, on July 22, 2021."
            ),
        ])
    func sentenceNamesFilter(options: [String], expected: String) async throws {
        let cache = try await day()
        let text = try await cache.quakes.run(["summary"] + options).output
        #expect(text.prefix { $0 != "\n" } == expected + " (Data through 2021-07-22 12:00 UTC.)")
    }

    @Test("quakes summary and the map title state only the covered part of the period asked for")
    func sentenceNamesTimes() async throws {
        let cache = try await day()
        func sentence(_ options: String...) async throws -> String {
            let result = try await cache.quakes.run(["summary", "--region", "Haiti", "--format", "json"] + options)
            return try JSONValue(result.standardOutput)["sentence"].text ?? ""
        }
        #expect(
            try await sentence("--since", "2021-07-22T05:30Z", "--until", "2021-07-22T07:00Z")
                == "1 earthquake in the Haiti region between 05:30 and 07:00 on July 22, 2021 (UTC): M 3.9, Haiti "
                + "region.")
        #expect(
            try await sentence("--since", "2021-07-01", "--until", "2021-08-01")
                == "1 earthquake in the Haiti region, July 21–22, 2021 (UTC): M 3.9, Haiti region, on July 22, 2021.")
        // A map's title names the same days, in the zone of the display.
        for (options, title) in [
            ([], "Haiti · July 22, 2021"), (["--tz", "Pacific/Honolulu"], "Haiti · July 21, 2021 (Pacific/Honolulu)"),
            (["--since", "2021-07-01", "--until", "2021-08-01"], "Haiti · July 21–22, 2021"),
            (["--since", "2021-07-22", "--title", "Haiti in July"], "Haiti in July"),
        ] {
            let map = try await cache.quakes.run(["map", "--region", "Haiti", "--format", "svg"] + options).output
            #expect(map.contains(">\(title)</text>"), "\(title)")
        }
    }

    @Test("quakes summary says how many other earthquakes share the largest magnitude")
    func severalLargest() async throws {
        let (cache, scratch) = try Cache.andFolderOfTest()
        let feed = try String(contentsOf: Fixture.url("feeds/all_day-1.geojson"), encoding: .utf8)
            .replacing(/"mag":[-0-9.]+/, with: "\"mag\":3.5")
        try await cache.output("refresh", try scratch.write(Data(feed.utf8), to: "all_day.geojson"))
        let count = try await cache.output("list", "--type", "earthquake", "--min-mag", "3.5", "--count")
        let text = try await cache.output("summary")
        let others = try #require(Int(count.dropLast())) - 1
        #expect(text.contains("The largest earthquake, tied with \(others) others, was M 3.5, "), "\(text)")
    }

    @Test("quakes summary prints no b-value if a filter such as --max-mag selects by size") func biasedBValue()
        async throws
    {
        let cache = try Cache.ofTest()
        try QuakeContext(QuakeCache(path: cache.path), access: .creating).write { writer in
            for index in 0..<205 {
                // The last five are the peak of the counts.
                let magnitude = index < 200 ? 2 + Double(index % 40) / 20 : 2.1
                var quake = Quake(sample: "us\(1000 + index)", magnitude: magnitude)
                (quake.magnitudeType, quake.significance, quake.status) = (["ml", "Ml"][index % 2], 1, "automatic")
                quake.eventType = index == 7 ? "quarry blast" : "earthquake"
                try writer.insert(quake, reason: .new)
            }
        }
        func slope(_ options: [String] = []) async throws -> String {
            let lines = try await cache.quakes.run(["summary"] + options).output.split(separator: "\n")
            return lines.first { $0.hasPrefix("b-value ") }.map(String.init) ?? ""
        }
        #expect(try await slope(["--max-mag", "3.5"]).contains("none: a filter other than --min-mag selects by size"))
        #expect(try await slope(["--min-sig", "1"]).contains("none: a filter other than"))
        // Magnitudes of one type belong together; a review is not a size.
        for options in [["--magtype", "ml"], ["--status", "automatic"]] {
            #expect(try await slope(options).contains(" (magnitudes rounded to 0.1), goodness of fit "), "\(options)")
        }
        let text = try await slope()
        let poor = "(magnitudes rounded to 0.1), goodness of fit 82% (b and its error are unreliable below 90%)"
        #expect(text.hasSuffix(poor + "; not only earthquakes (see --type)") && !text.contains("mixed"), "\(text)")
        #expect(try await slope(["--type", "earthquake"]).hasSuffix(poor))
        let large = try await slope(["--min-mag", "3"])
        #expect(large.contains(" at or above Mc 3 (magnitudes rounded to 0.1), goodness of fit "), "\(large)")
        #expect(
            try await cache.json("summary", "--max-mag", "3.5", "--format", "json")["gutenberg_richter"]["b"] == .null)
    }

    @Test("quakes summary marks days that are not covered as incomplete, and warns about gaps in the coverage")
    func uncoveredSpans() async throws {
        let cache = try Cache.ofTest()
        func day(_ number: Int64) -> Timestamp { .sample + .seconds(86_400 * number - 43_200) }
        try QuakeContext(QuakeCache(path: cache.path), access: .creating).write { writer in
            for number in [0, 9] as [Int64] {
                try writer.insert(Quake(sample: "us\(number)", time: day(number)), reason: .new)
            }
            for number in [4, 6] as [Int64] {
                try writer.add(CoveredRange(originTimes: day(number)..<day(number + 1), asOf: day(number + 1)))
            }
        }
        let lines = try await cache.output("summary").split(separator: "\n").suffix(10)
        for (number, line) in lines.enumerated() {
            #expect(line.contains("\(day(Int64(number)).dayWords)         \([0, 9].contains(number) ? 1 : 0)"))
            #expect(line.hasSuffix(" (incomplete)") != [4, 6].contains(number))
        }
        let remark = try await cache.quakes.run(["summary", "--since", day(0).dayWords]).errorOutput
        let words = "data may be missing from 2026-03-14 00:00 to 2026-03-18 00:00 UTC"
        let advice = "`quakes backfill --since 2026-03-14T00:00Z` fetches it) and in 1 later time range"
        #expect(remark.contains("\(words) (\(advice)"), "\(remark)")
        try QuakeContext(QuakeCache(path: cache.path)).write { writer in
            let large = QuakeFilter(minimumMagnitude: 4.5)
            try writer.add(CoveredRange(conditions: large, originTimes: day(0)..<day(4), asOf: day(4)))
        }
        for command in ["summary", "list", "map"] {
            for options in [["--since", day(0).dayWords], [], ["--place", "nowhere"]] {
                let remark = try await cache.quakes.run([command] + options).errorOutput
                #expect(remark.contains("UTC (covered only for M 4.5 and larger; \(advice)"), "\(remark)")
            }
        }
    }

    @Test("quakes summary prints the mean magnitude revision without floating-point noise") func meanRevision()
        async throws
    {
        let cache = try Cache.ofTest()
        let context = try QuakeContext(QuakeCache(path: cache.path), access: .creating)
        try context.write { try $0.insert(Quake(sample: "us1", magnitude: 5.2), reason: .new) }
        try context.write { writer in
            let stored = try #require(try context.quake(id: "us1"))
            _ = try writer.update(stored, to: Quake(sample: "us1", magnitude: 5.4), reason: .revised)
        }
        let text = try await cache.output("summary", "--format", "csv")
        #expect(text.hasSuffix("\nhistory,mean_magnitude_revision,0.2\n"), "\(text)")
    }

    @Test("All times in quakes summary use the zone of --tz, including those of hourly rows") func localTimes()
        async throws
    {
        let cache = try await day()
        let text = try await cache.output("summary", "--tz", "Asia/Tokyo")
        #expect(text.contains("\n4 events, 2021-07-22 15:00 to 2021-07-22 15:03 Asia/Tokyo\n"), "\(text)")
        #expect(text.contains("\nhour        2021-07-22 15:00 ") && !text.contains("UTC"), "\(text)")
    }

    @Test("With --at, quakes summary names the time at which the selected state's data ends") func pastStateEnd()
        async throws
    {
        let cache = try await day()
        let token = try await cache.token()
        try await cache.refresh("all_day-1")
        let options = ["--since", "2021-07-01", "--until", "2021-08-01", "--at", token]
        let result = try await cache.quakes.run(["summary", "--region", "Haiti"] + options)
        #expect(result.output.hasPrefix("1 earthquake in the Haiti region on July 22, 2021 (UTC): "))
        #expect(
            result.errorOutput == """
                quakes: data may be missing from 2021-07-01 00:00 to 2021-07-22 06:00 UTC; the data ends at \
                2021-07-22 12:00 UTC, so later quakes are missing.

                """)
    }

    @Test("quakes summary --by prints a row for every hour or day of the data, even without quakes")
    func rowsForCoveredSpans() async throws {
        let cache = try await day()
        func rows(_ options: String...) async throws -> [String] {
            try await cache.quakes.run(["summary", "--format", "csv"] + options).output.split(separator: "\n")
                .dropFirst()
                .map { "\($0.prefix { $0 != "," }) \($0.split(separator: ",")[1]) \($0.contains("true"))" }
        }
        #expect(try await rows("--by", "day") == ["2021-07-21 0 false", "2021-07-22 4 false"])
        let hours = try await rows("--by", "hour", "--since", "2021-07-22T06:30", "--until", "2021-07-22T08:10")
        #expect(hours == ["2021-07-22 06:00 0 false", "2021-07-22 07:00 0 true", "2021-07-22 08:00 0 false"])
        #expect(try await rows("--by", "hour").count == 24)
        let quiet = try await cache.quakes.run(["summary", "--by", "hour", "--min-mag", "9", "--fail-empty"])
        #expect(quiet.exitStatus == 4 && quiet.output.contains("\n2021-07-22 11:00") && !quiet.output.contains("inc"))
        #expect(try await cache.output("summary", "--by", "week").contains("\n2021-07-19 (incomplete) "))
        // Clocks in the Chatham Islands are offset by 45 minutes.
        let zoned = try await rows("--by", "hour", "--tz", "Pacific/Chatham")
        #expect(
            zoned.first == "2021-07-22 00:00 0 false" && zoned.contains("2021-07-22 18:00 4 true")
                && zoned.last == "2021-07-23 00:00 0 false")
        // The coverage of a past state is not recorded.
        try await cache.output("purge", "--region", "Haiti")
        #expect(try await cache.output("summary", "--by", "day", "--at", "1", "--format", "csv").hasSuffix(",\n"))
    }

    @Test("quakes summary --by prints the type of the largest event unless it is an earthquake")
    func typeOfLargest() async throws {
        let cache = try await day()
        let text = try await cache.output("summary", "--by", "region")
        #expect(text.contains("M 5.9 (experimental explosion)\n") && text.contains("M 3.9\n"), "\(text)")
        let rows = try await cache.json("summary", "--by", "region", "--format", "json").elements
        #expect(rows.map { $0["largest_type"].text } == ["experimental explosion", "earthquake"])
    }
}
