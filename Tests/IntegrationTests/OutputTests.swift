import Foundation
import QuakeTestSupport
import Testing

@Suite("Output of list and its exports", .endsInTime, .scratch) struct OutputTests {
    private static let hostile = Fixture.url("feeds/hostile.geojson")

    private func places() throws -> [String: JSONValue] {
        let features = try JSONValue(try Data(contentsOf: Self.hostile))["features"].elements
        return Dictionary(uniqueKeysWithValues: features.map { ($0["id"].text ?? "", $0["properties"]["place"]) })
    }

    @Test("Text and JSON output never contains terminal control characters from a feed")
    func noTerminalControl() async throws {
        let cache = try Cache.ofTest()
        try await cache.output("refresh", Self.hostile.path)
        let ids = try places().keys.sorted()
        let forms = ["json", "ndjson", "geojson"].map { ["list", "--format", $0] }
        let tables = [["list"], ["list", "--fields", "all"], ["changes"], ["summary"]]
        for arguments in tables + forms + ids.map({ ["show", $0] }) {
            let output = try await cache.quakes.run(arguments).standardOutput
            let text = String(decoding: output, as: UTF8.self)
            #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || !$0.isControl }, "\(arguments)")
        }
        #expect(try await cache.output("list").split(separator: "\n").count == ids.count + 1)
    }

    @Test("quakes list --sort felt, sig or updated shows a column for that value")
    func sortColumnsAndFormats() async throws {
        let cache = try await Cache.ofDay()
        for key in ["felt", "sig", "updated"] {
            #expect(try await cache.output("list", "--sort", key).contains(" \(key.uppercased()) "))
        }
        let csv = try await cache.run("list", "--format", "csv").standardOutput
        #expect(try await cache.run("list", "--format", "csv-excel").standardOutput == Data([0xEF, 0xBB, 0xBF]) + csv)
        let others = try await cache.output("list", "--type", "!earthquake", "--fields", "type", "--format", "tsv")
        #expect(others == "type\nquarry blast\n")
        #expect(try await cache.run("list", "--type", "!earthquak").exitStatus == 64)
        #expect(try await cache.run("backfill", "--type", "!earthquake", "--since", "2020").exitStatus == 64)
    }

    @Test("quakes refresh with a GeoJSON export made before the cache's last refresh changes nothing")
    func exportedTime() async throws {
        let cache = try await Cache.ofDay()
        let export = try ScratchDirectory.ofTest().write(
            Data(try await cache.output("list", "--format", "geojson").utf8), to: "export.geojson")
        let day1 = try JSONValue(try Fixture.data("feeds/all_day-1.geojson"))["metadata"]["generated"].integer
        let exported = try JSONValue(try Data(contentsOf: URL(filePath: export)))["metadata"]["generated"].integer
        #expect(exported == day1)
        #expect(try await cache.refresh("all_day-2")["inserted"]["new"].integer == 3)
        let values = try await cache.output("list", "--format", "csv")
        let past = try await cache.json("list", "--format", "geojson", "--at", "1")
        #expect(past["metadata"]["generated"].integer == day1)
        #expect(try await cache.output("refresh", export).contains(" 0 new, 0 changed, "))
        #expect(try await cache.output("list", "--format", "csv") == values)
    }

    @Test("quakes list warns on standard error that --units has no effect on CSV") func ignoredOptionsAreNamed()
        async throws
    {
        let cache = try await Cache.ofDay()
        func remark(_ arguments: String...) async throws -> String {
            try await cache.quakes.run(["list"] + arguments).errorOutput
        }
        let kilometers = "quakes: csv always uses kilometers; --units applies only to human-readable output\n"
        #expect(try await remark("--format", "csv", "--units", "mi") == kilometers)
        #expect(try await remark("--format", "csv", "--units", "mi", "-q").isEmpty)
        #expect(try await remark("--units", "mi").isEmpty)
        #expect(try await remark("--fields", "id,mag", "--format", "csv").isEmpty)
        let list = try await cache.json("list", "--near", "Anchorage", "--radius", "200mi", "--format", "geojson")
        #expect(list["metadata"]["title"].text == "Within 322 km of Anchorage")
    }
}

extension Unicode.Scalar {
    /// Whether this is C0, DEL, C1, or a character that changes the text direction.
    fileprivate var isControl: Bool {
        properties.generalCategory == .control || (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
    }
}
