import Foundation
import QuakeModel
import QuakeTestSupport
import Testing

/// `quakes summary` counts what an independent program counts.
@Suite("The summary of quakes", .scratch)
struct SummaryTests {
    private static let hasNumPy: Bool = {
        let python = Process()
        python.executableURL = URL(filePath: "/usr/bin/env")
        python.arguments = ["python3", "-c", "import numpy"]
        python.standardError = FileHandle.nullDevice
        guard (try? python.run()) != nil else { return false }
        python.waitUntilExit()
        return python.terminationStatus == 0
    }()

    private static let script = Fixture.projectDirectory.appending(path: "Tests/Summary/check_summary.py").path

    @Test(
        "It has the numbers of a program that uses numpy, for two real weeks and for filters of them",
        .enabled(if: hasNumPy, "needs numpy for Python"), .needsRealData,
        arguments: [[], ["--min-mag", "2.5"], ["--type", "earthquake", "--net", "ci,nc"], ["--since", "2021-07-20"]])
    func realWeeks(options: [String]) async throws {
        let directory = try ScratchDirectory.ofTest()
        let cache = directory.path("quakes.db")
        let runner = ProcessRunner(environment: ["QUAKES_DB": cache])
        for name in ["all_week__2021-07-20T1423Z__api1.10.3", "all_week__2021-07-22T2039Z__api1.10.3"] {
            let path = try RealData.url("feeds/\(name).geojson").path
            #expect(try await runner.run("refresh", path).exitStatus == 0)
        }
        let check = Process()
        let output = Pipe()
        check.executableURL = URL(filePath: "/usr/bin/env")
        check.arguments = ["python3", Self.script, BuiltProduct.path("quakes"), cache] + options
        check.standardOutput = output
        try check.run()
        let printed = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        check.waitUntilExit()
        #expect(check.terminationStatus == 0, "\(printed)")
    }

    @Test("An empty summary says so, and ends with status 4 where that is asked for")
    func empty() async throws {
        let directory = try ScratchDirectory.ofTest()
        let runner = ProcessRunner(environment: ["QUAKES_DB": directory.path("quakes.db")])
        _ = try await runner.run("refresh", Fixture.url("feeds/all_day-1.geojson").path)
        let text = try await runner.run("summary", "--min-mag", "9")
        #expect(text.output.hasPrefix("No quake matches.\n") && text.exitStatus == 0)
        for format in ["text", "json", "csv"] {
            let result = try await runner.run("summary", "--min-mag", "9", "--format", format, "--fail-empty")
            #expect(result.exitStatus == 4)
        }
    }

    @Test("Text from a feed cannot end a line of csv, nor reach a terminal as a command")
    func hostileText() async throws {
        let directory = try ScratchDirectory.ofTest()
        let runner = ProcessRunner(environment: ["QUAKES_DB": directory.path("quakes.db")])
        let hostile = #"a\u001b[31m\u009bb,\"c\"\n=1+1"#
        let feed = try String(contentsOf: Fixture.url("feeds/all_day-1.geojson"), encoding: .utf8)
            .replacing(#""type":"quarry blast""#, with: #""type":"\#(hostile)""#)
            .replacing(#""place":""#, with: #""place":"\#(hostile)"#)
        #expect(feed.contains(hostile))
        try feed.write(toFile: directory.path("feed.geojson"), atomically: true, encoding: .utf8)
        #expect(try await runner.run("refresh", directory.path("feed.geojson")).exitStatus == 0)
        let text = try await runner.run("summary").output
        #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || !(0..<32).contains($0.value) && $0.value != 0x9B })
        let json = try await runner.run("summary", "--format", "json").output
        #expect(try JSONSerialization.jsonObject(with: Data(json.utf8)) is [String: Any])
        let csv = try await runner.run("summary", "--format", "csv").output
        #expect(csv.contains("\ntypes,\"a\u{1B}[31m\u{9B}b,\"\"c\"\"\n=1+1\",1\n"))
    }

    @Test("With --at it sums up what was known then")
    func past() async throws {
        let directory = try ScratchDirectory.ofTest()
        let runner = ProcessRunner(environment: ["QUAKES_DB": directory.path("quakes.db")])
        _ = try await runner.run("refresh", Fixture.url("feeds/all_day-1.geojson").path)
        let before = try await runner.run("token").output.trimmingCharacters(in: .whitespacesAndNewlines)
        let first = try await runner.run("summary", "--format", "json").output
        _ = try await runner.run("refresh", Fixture.url("feeds/all_day-2.geojson").path)
        #expect(try await runner.run("summary", "--format", "json", "--at", before).output == first)
        #expect(try await runner.run("summary", "--format", "json").output != first)
    }

    @Test("Its first sentence can be quoted, counts blasts apart, and follows the time zone")
    func sentence() async throws {
        let cache = try Cache.ofTest()
        try await cache.refresh("all_day-1")
        let report = try await cache.json("summary", "--format", "json")
        let types = report["types"].elements
        func count(_ isWanted: (String?) -> Bool) -> Int {
            types.filter { isWanted($0["name"].text) }.reduce(0) { $0 + Int($1["count"].number ?? 0) }
        }
        let (earthquakes, others) = (count { $0 == "earthquake" }, count { $0 != "earthquake" })
        let sentence = try #require(report["sentence"].text)
        #expect(earthquakes > 1 && others > 0)
        #expect(sentence.hasPrefix("\(earthquakes) earthquakes and \(others) other event"), "\(sentence)")
        #expect(try await cache.output("summary").hasPrefix(sentence + "\n"))
        let limited = try await cache.output("summary", "--type", "earthquake", "--min-mag", "2.5")
        #expect(limited.contains(" earthquakes of M 2.5 or more "), "\(limited)")
        #expect(try await cache.json("summary", "--min-mag", "9.9", "--format", "json")["sentence"] == .null)
        let zoned = try await cache.output("summary", "--tz", "Asia/Tokyo")
        #expect(zoned.prefix { $0 != "\n" }.contains("(Asia/Tokyo)"))
    }

    @Test("--by counts what list counts", arguments: ["day", "region", "type", "network"])
    func grouped(by group: String) async throws {
        let cache = try Cache.ofTest()
        try await cache.refresh("all_day-1")
        let zone = ["--tz", "America/Los_Angeles"]
        let rows = try await JSONValue(
            cache.quakes.run(["summary", "--by", group, "--format", "json"] + zone).standardOutput
        ).elements
        let option = ["region": "--region", "type": "--type", "network": "--net"][group]
        #expect(rows.count > 1)
        for row in rows {
            guard let name = row[group].text else { continue }
            let next = Timestamp(iso8601: name + "T00:00:00Z").map { ($0 + .seconds(86_400)).iso8601.prefix(10) }
            let choice = option.map { [$0, name] } ?? (["--since", name, "--until", String(next ?? "")] + zone)
            for (member, more) in [("quakes", []), ("earthquakes", ["--type", "earthquake"])] {
                guard group != "type" || more.isEmpty else { continue }
                let count = try await cache.quakes.run(["list", "--count"] + choice + more).output
                #expect(count == "\(Int(row[member].number ?? -1))\n", "\(name) \(member)")
            }
        }
        let csv = try await cache.quakes.run(["summary", "--by", group, "--format", "csv"] + zone).output
        #expect(
            csv.hasPrefix("\(group),quakes,earthquakes,largest\n") && csv.split(separator: "\n").count == rows.count + 1
        )
        let text = try await cache.quakes.run(["summary", "--by", group] + zone).output
        #expect(text.split(separator: "\n").count == rows.count + 1)
    }
}
