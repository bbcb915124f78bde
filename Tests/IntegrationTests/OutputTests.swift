import Foundation
import QuakeTestSupport
import Testing

@Suite("What reaches the reader", .timeLimit(.minutes(5)), .scratch)
struct OutputTests {
    private static let hostile = Fixture.url("feeds/hostile.geojson")

    private func places() throws -> [String: JSONValue] {
        let features = try JSONValue(try Data(contentsOf: Self.hostile))["features"].elements
        return Dictionary(uniqueKeysWithValues: features.map { ($0["id"].text ?? "", $0["properties"]["place"]) })
    }

    @Test("No form for reading sends a terminal anything but text and line ends")
    func noTerminalControl() async throws {
        let cache = try Cache.ofTest()
        try await cache.output("refresh", Self.hostile.path)
        let ids = try places().keys.sorted()
        for arguments in [["list"], ["list", "--fields", "all"], ["changes"]] + ids.map({ ["show", $0] }) {
            let output = try await cache.quakes.run(arguments).standardOutput
            let text = String(decoding: output, as: UTF8.self)
            #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || !$0.isControl }, "\(arguments)")
        }
        let lines = try await cache.output("list").split(separator: "\n")
        #expect(lines.count == ids.count + 1)
    }

    @Test("What the output for programs leaves out is said on standard error")
    func remarks() async throws {
        let cache = try Cache.ofTest()
        try await cache.refresh("all_day-1")
        func remark(_ arguments: String...) async throws -> String {
            try await cache.quakes.run(["list"] + arguments).errorOutput
        }
        let kilometers = "quakes: csv always has kilometers; --units is for output for people\n"
        #expect(try await remark("--format", "csv", "--units", "mi") == kilometers)
        #expect(try await remark("--format", "csv", "--units", "mi", "-q").isEmpty)
        #expect(try await remark("--units", "mi").isEmpty)
        let solved = try await remark("--fields", "id,mag_error", "--format", "csv")
        #expect(solved.contains("`quakes details` fills the fields"))
        #expect(try await remark("--fields", "id,mag", "--format", "csv").isEmpty)
        let list = try await cache.json("list", "--near", "Anchorage", "--radius", "200mi", "--format", "geojson")
        #expect(list["metadata"]["title"].text == "Within 322 km of Anchorage")
    }

    @Test("A place that is no city of the gazetteer is proposed as coordinates or as a text of places")
    func unknownTown() async throws {
        let refused = try await Cache.ofTest().run("list", "--near", "Petrolia, CA")
        #expect(refused.exitStatus == 64 && !refused.errorOutput.contains("--region"))
        #expect(refused.errorOutput.contains("35.69,139.69, or search place names with --place Petrolia."))
        let island = try await Cache.ofTest().run("list", "--near", "Kamchatka").errorOutput
        #expect(island.contains("To choose a state or country, use --region Russia."), "\(island)")
    }

    @Test("JSON, line by line too, and GeoJSON give back what the feed said", arguments: ["json", "ndjson", "geojson"])
    func json(format: String) async throws {
        let cache = try Cache.ofTest()
        try await cache.output("refresh", Self.hostile.path)
        let quakes =
            switch format {
            case "json": try await cache.json("list", "--format", format).elements
            case "ndjson": try await cache.records("list", "--format", format)
            default: try await cache.json("list", "--format", format)["features"].elements
            }
        let expected = try places()
        #expect(quakes.count == expected.count)
        for quake in quakes {
            let id = try #require(quake["id"].text)
            #expect(
                format == "geojson" ? quake["properties"]["place"] == expected[id] : quake["place"] == expected[id])
        }
    }

    @Test("CSV as RFC 4180 reads it holds every quake on a record of its own")
    func csv() async throws {
        let cache = try Cache.ofTest()
        try await cache.output("refresh", Self.hostile.path)
        let records = RFC4180.records(try await cache.output("list", "--format", "csv", "--fields", "id,place,mag"))
        #expect(records.first == ["id", "place", "mag"])
        #expect(records.allSatisfy { $0.count == 3 })
        #expect(Set(records.dropFirst().map { $0[0] }) == Set(try places().keys))
        let lines = try await cache.output("list", "--format", "tsv", "--fields", "id,place,mag").split(
            separator: "\n")
        #expect(lines.allSatisfy { $0.split(separator: "\t", omittingEmptySubsequences: false).count == 3 })
    }

    @Test("Color is for terminals, and not where NO_COLOR, TERM=dumb or --no-color ask for none")
    func color() async throws {
        let cache = try Cache.ofTest()
        try await cache.refresh("all_day-1")
        #expect(try await !cache.output("list").contains("\u{1B}"))
        #expect(try await terminalOutput(cache, [:], "list").contains("\u{1B}[31m"))
        #expect(try await !terminalOutput(cache, ["NO_COLOR": "1"], "list").contains("\u{1B}"))
        #expect(try await !terminalOutput(cache, ["TERM": "dumb"], "list").contains("\u{1B}"))
        #expect(try await !terminalOutput(cache, [:], "list --no-color").contains("\u{1B}"))
    }

    @Test("A table fits the terminal", arguments: [80, 100, 140])
    func width(columns: Int) async throws {
        let cache = try Cache.ofTest()
        try await cache.refresh("all_day-1")
        let text = try await terminalOutput(cache, ["COLUMNS": "\(columns)", "NO_COLOR": "1"], "list")
        let lines = text.replacing("\r\n", with: "\n").split(separator: "\n")
        // A header and a last line. At 80 columns the id stays, and long places are cut.
        #expect(lines.count == 26 && lines[0].contains("  ID  ") && !text.contains("no room"))
        #expect(lines.allSatisfy { $0.count <= columns } && text.contains("…") == (columns == 80))
        #expect(
            lines.contains { $0.contains(/^24 quakes · all_day read (\d+ s ago|just now)/) })
    }

    /// What the command writes to a terminal. script(1), which belongs to every Debian, plays the terminal.
    private func terminalOutput(
        _ cache: Cache, _ environment: [String: String], _ arguments: String
    ) async throws -> String {
        var variables = cache.quakes.environment.merging(["TERM": "xterm", "COLUMNS": "100"]) { $1 }
        for (name, value) in environment { variables[name] = value }
        let terminal = ProcessRunner(path: "/usr/bin/script", environment: variables)
        return try await terminal.run("-qec", "'\(cache.quakes.executable)' \(arguments)", "/dev/null").output
    }
}

extension Unicode.Scalar {
    /// C0, DEL, C1, and what turns the direction of text.
    fileprivate var isControl: Bool {
        properties.generalCategory == .control || (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
    }
}

/// A reader of CSV that knows the RFC and nothing else.
enum RFC4180 {
    static func records(_ text: String) -> [[String]] {
        var records: [[String]] = []
        var record: [String] = []
        var field = String.UnicodeScalarView()
        var isQuoted = false
        var scalars = Array(text.unicodeScalars)[...]
        while let scalar = scalars.popFirst() {
            switch scalar {
            case "\"" where isQuoted && scalars.first == "\"":
                field.append(scalar)
                scalars.removeFirst()
            case "\"": isQuoted.toggle()
            case "," where !isQuoted:
                record.append(String(field))
                field = String.UnicodeScalarView()
            case "\n" where !isQuoted:
                records.append(record + [String(field)])
                (record, field) = ([], String.UnicodeScalarView())
            default: field.append(scalar)
            }
        }
        return records
    }
}
