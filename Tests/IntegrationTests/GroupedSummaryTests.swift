import Foundation
import QuakeMirror
import QuakeStore
import QuakeTestSupport
import Testing

@Suite("Summaries by bin and by time", .endsInTime, .scratch) struct GroupedSummaryTests {
    /// Returns a cache in which the coverage and the quakes are as `write` leaves them.
    private func cache(_ write: (QuakeWriter) throws -> Void) throws -> Cache {
        let cache = try Cache.ofTest()
        try QuakeContext(QuakeCache(path: cache.path), access: .creating).write { try write($0) }
        return cache
    }

    private func quake(_ number: Int, _ magnitude: Double?, depth: Double?, at time: Timestamp = .sample) -> Quake {
        let hypocenter = Hypocenter(longitude: 1, latitude: 2, depthKilometers: depth)
        return Quake(sample: "us\(number)", at: hypocenter, time: time, magnitude: magnitude)
    }

    @Test(
        "On a real week, quakes summary --by mag, depth, day or hour has the counts of the feed", .needsRealData,
        arguments: ["mag", "depth", "day", "hour"])
    func realWeek(group: String) async throws {
        let cache = try Cache.ofTest()
        try await cache.refreshWeeks("22T2039Z")
        let feed = try JSONValue(try RealData.data("feeds/all_week__2021-07-22T2039Z__api1.10.3.geojson"))
        let names: [String?] = feed["features"].elements.map { feature in
            let time = Timestamp(milliseconds: Int64(feature["properties"]["time"].integer ?? 0))
            let depth = feature["geometry"]["coordinates"].elements[2].number
            switch group {
            case "mag": return feature["properties"]["mag"].number.map { "\(($0 * 2).rounded(.down) / 2)" }
            case "depth": return depth.map { "\(($0 / 10).rounded(.down) * 10)" }
            case "day": return String(time.iso8601.prefix(10))
            default: return "\(time.iso8601.prefix(13)):00".replacing("T", with: " ")
            }
        }
        let expected = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
        let rows = try await cache.json("summary", "--by", group, "--format", "json").elements
        let counts = rows.map { (name: $0[group].text ?? $0[group].number.map { "\($0)" }, $0["quakes"].integer ?? -1) }
        let found = Dictionary(counts.filter { $0.1 > 0 }, uniquingKeysWith: +)
        #expect(found == expected && names.count == 3280)
        #expect(rows.count == ["mag": 17, "depth": 58, "day": 8, "hour": 169][group])
    }

    @Test("quakes summary --by mag or depth has a row for each bin between the first and the last, and one for none")
    func bins() async throws {
        let cache = try cache { writer in
            let values: [(Double?, Double?)] = [(4.5, -3.2), (4.99, 0), (-0.01, 9.99), (5, 35), (nil, nil), (4.5, 20)]
            for (index, value) in values.enumerated() {
                try writer.insert(quake(index, value.0, depth: value.1), reason: .new)
            }
        }
        func counts(_ group: String) async throws -> [String] {
            try await cache.output("summary", "--by", group, "--format", "csv").split(separator: "\n").dropFirst()
                .map { $0.split(separator: ",", omittingEmptySubsequences: false).prefix(2).joined(separator: " ") }
        }
        #expect(try await counts("depth") == ["-10 1", "0 2", "10 0", "20 1", "30 1", " 1"])
        let empty = stride(from: 0, to: 4.5, by: 0.5).map { "\($0)".replacing(".0", with: "") + " 0" }
        #expect(try await counts("mag") == ["-0.5 1"] + empty + ["4.5 3", "5 1", " 1"])
        #expect(try await cache.output("summary", "--by", "mag", "--min-mag", "9", "--format", "json") == "[]\n")
        let magnitudes = try await cache.output("summary", "--by", "mag")
        #expect(magnitudes.hasPrefix("MAG  ") && magnitudes.contains("\n4.5 to <5.0 "), "\(magnitudes)")
        #expect(magnitudes.contains("  M 4.99 (") || magnitudes.contains("  M 4.99\n"), "\(magnitudes)")
        #expect(magnitudes.contains("\n-0.5 to <0.0 ") && magnitudes.contains("\nnone "), "\(magnitudes)")
        let depths = try await cache.output("summary", "--by", "depth")
        #expect(depths.hasPrefix("DEPTH (KM)  ") && depths.contains("\n-10 to <0 "), "\(depths)")
    }

    @Test("quakes summary --units mi, or $QUAKES_UNITS, prints miles as text and leaves CSV and JSON in kilometers")
    func miles() async throws {
        let cache = try cache { try $0.insert(quake(1, 5, depth: 161), reason: .new) }
        let place = ["--near", "2,1", "--radius", "12mi"]
        func text(_ options: [String], units: String? = nil) async throws -> String {
            let runner = ProcessRunner(environment: ["QUAKES_DB": cache.path, "QUAKES_UNITS": units])
            return try await runner.run(["summary"] + place + options).output
        }
        for output in [try await text(["--units", "mi"]), try await text([], units: "mi")] {
            #expect(output.contains(" within 12 mi of 2,1,") && output.contains(", 100 mi deep, "), "\(output)")
        }
        let kilometers = try await text([])
        #expect(kilometers.contains(" within 19.31 km of 2,1,") && kilometers.contains(", 161 km deep, "))
        let depths = try await text(["--by", "depth", "--units", "mi"])
        #expect(depths.hasPrefix("DEPTH (MI)  ") && depths.contains("\n100 to <110 "), "\(depths)")
        #expect(try await text(["--by", "depth", "--format", "csv"], units: "mi").contains("\n160,1,"))
        let json = try await cache.run("summary", "--format", "json", "--units", "mi")
        #expect(try JSONValue(json.standardOutput)["deepest"]["depth"].number == 161)
        #expect(
            json.errorOutput == "quakes: json always uses kilometers; --units applies only to human-readable output\n")
    }

    /// Midnight, `number` days after 2021-03-14.
    private func day(_ number: Int64) -> Timestamp { Timestamp(milliseconds: 86_400_000 * (18_700 + number)) }

    @Test("quakes summary --by day has a row for each day of the period, and marks those that are not covered")
    func uncoveredDays() async throws {
        let cache = try cache { writer in
            for number in [0, 9] as [Int64] {
                try writer.insert(quake(Int(number), 5, depth: 10, at: day(number)), reason: .new)
            }
            for number in [4, 6] as [Int64] {
                try writer.add(CoveredRange(originTimes: day(number)..<day(number + 1), asOf: day(number + 1)))
            }
        }
        func rows(_ options: String...) async throws -> [String] {
            try await cache.quakes.run(["summary", "--by", "day", "--format", "csv"] + options).output
                .split(separator: "\n").dropFirst()
                .map { row in
                    let cells = row.split(separator: ",", omittingEmptySubsequences: false)
                    return "\(cells[0].suffix(2)) \(cells[1])\(cells[5] == "true" ? " complete" : "")"
                }
        }
        let whole = ["14 1", "15 0", "16 0", "17 0", "18 0 complete", "19 0", "20 0 complete", "21 0", "22 0", "23 1"]
        #expect(try await rows() == whole)
        // The data ends with the coverage on the 20th, but the requested times end later.
        #expect(try await rows("--since", "2021-03-16", "--until", "2021-03-22") == Array(whole[2...7]))
        #expect(try await rows("--since", "2021-03-19T12:00", "--max-mag", "4") == Array(whole[5...6]))
        #expect(try await rows("--since", "2021-03-24", "--until", "2021-03-26") == ["24 0", "25 0"])
        #expect(try await rows("--since", "2020", "--until", "2021-03-15") == ["14 1"])
        // Without times, an unlisted span counts only if it is covered.
        #expect(try await rows("--max-mag", "4") == Array(whole[4...6]))
        // What has not happened yet is not missing.
        let months = try await cache.output("summary", "--by", "month", "--until", "2199", "--format", "csv")
        let last = try #require(months.split(separator: "\n").last?.prefix(7))
        #expect(last > "2021-03" && last <= Date().ISO8601Format().prefix(7))
        let text = try await cache.output("summary", "--by", "day")
        #expect(text.contains("\n2021-03-15 (incomplete) ") && text.contains("\n2021-03-18  "), "\(text)")
    }

    @Test("With the whole catalog covered, the rows of quakes summary --by day begin with the first quake")
    func wholeCatalog() async throws {
        let cache = try cache { writer in
            try writer.insert(quake(1, 5, depth: 10, at: day(1)), reason: .new)
            try writer.add(CoveredRange(originTimes: CatalogQuery.beginning..<day(3), asOf: day(3)))
        }
        let rows = try await cache.output("summary", "--by", "day", "--format", "csv").split(separator: "\n")
        #expect(rows.dropFirst() == ["2021-03-15,1,0,5,,true", "2021-03-16,0,0,,,true"])
    }

    @Test("quakes summary --by hour refuses to print more than 100,000 rows") func tooManyRows() async throws {
        let cache = try cache { writer in
            try writer.insert(quake(1, 8, depth: 10, at: day(-365 * 100)), reason: .new)
            try writer.insert(quake(2, 8, depth: 10, at: day(0)), reason: .new)
        }
        let refused = try await cache.run("summary", "--by", "hour")
        #expect(refused.exitStatus == 64 && refused.output.isEmpty)
        #expect(
            refused.errorOutput.hasPrefix(
                "quakes: --by hour would print more than 100,000 rows. Group by a longer unit, such as month, or "
                    + "narrow the time range with --since and --until."), "\(refused.errorOutput)")
        let days = try await cache.output("summary", "--by", "day", "--format", "csv").split(separator: "\n")
        #expect(days.count == 36_502)
    }
}
