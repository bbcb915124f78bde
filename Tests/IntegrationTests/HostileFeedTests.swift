import Foundation
import QuakeTestSupport
import Testing

@Suite("Hostile documents") struct HostileFeedTests {
    private static let ordinary = """
        {"type":"Feature","properties":{"mag":1,"place":"there","time":1773486000000,"updated":1773486100000,"net":"us",\
        "code":"1","ids":",us1,","sources":",us,","types":",origin,","type":"earthquake","status":"reviewed"},\
        "geometry":{"type":"Point","coordinates":[1,2,3]},"id":"us1"}
        """

    /// Returns a document with an ordinary feature and one with these values.
    private func document(
        mag: String = "4.5", coordinates: String = "1,2,3", ids: String = "", code: String = "7000zz01",
        extra: String = "", generated: String = "1773489600000"
    ) -> Data {
        Data(
            """
            {"type":"FeatureCollection","metadata":{"generated":\(generated),"status":200,"count":2,
            "url":"https://earthquake.usgs.gov/earthquakes/feed/v1.0/summary/all_day.geojson"},"features":[
            \(Self.ordinary),{"type":"Feature","properties":{"mag":\(mag),"place":"somewhere","time":1773486000000,"updated":1773486100000,
            "net":"us","code":"\(code)","ids":",us\(code),\(ids)","sources":",us,","types":",origin,","type":"earthquake",
            "status":"reviewed","title":null\(extra)},"geometry":{"type":"Point","coordinates":[\(coordinates)]},"id":"us\(code)"}]}
            """.utf8)
    }

    private func refresh(_ document: Data) async throws -> (status: Int32?, error: String, changes: Int32?) {
        try await withScratchDirectory { directory in
            let path = try directory.write(document, to: "feed.geojson")
            let quakes = ProcessRunner("quakes", environment: ["QUAKES_DB": directory.path("quakes.db")])
            let refreshed = try await quakes.run("refresh", path)
            let changes = try await quakes.run("changes")
            return (refreshed.exitStatus, refreshed.errorOutput, changes.exitStatus)
        }
    }

    // Proves rule 16 of mirroring.md.
    @Test("quakes refresh skips a feature with an impossible value and prints the reason") func impossibleValues()
        async throws
    {
        for (document, words) in [
            (document(mag: "1e300"), "mag cannot be"), (document(mag: "-1e300"), "mag cannot be"),
            (document(mag: "21"), "mag cannot be"), (document(coordinates: "1,2,1e308"), "depth cannot be"),
            (document(coordinates: "1,2,6401"), "depth cannot be"),
            (document(coordinates: "1,2,-101"), "depth cannot be"),
            (document(coordinates: "181,2,3"), "longitude cannot be"),
            (document(coordinates: "1,-91,3"), "latitude cannot be"),
            (document(ids: (0..<100).map { "ci\($0)," }.joined()), "the number of ids cannot be"),
            (document(code: "x\\u0000a"), "NUL character"), (document(code: "e\\u0301"), "printable ASCII"),
            (document(code: "a b"), "printable ASCII"),
        ] {
            let result = try await refresh(document)
            #expect(result.status == 0 && result.changes == 0 && result.error.contains(words), "\(words): \(result)")
        }
    }

    @Test("quakes refresh accepts depths of 6,400 km and -100 km, and a feature with 100 ids") func extremeValues()
        async throws
    {
        let ids = (0..<99).map { "ci\($0)," }.joined()
        for document in [
            document(coordinates: "0,0,6400"), document(coordinates: "-180,90,-100"), document(ids: ids),
        ] {
            let result = try await refresh(document)
            #expect(result.status == 0 && !result.error.contains("skipped"), "\(result.error)")
        }
    }

    // Proves rule 14 of mirroring.md.
    @Test(
        "quakes refresh rejects a feed whose generated time is impossible or far in the future",
        arguments: ["-9223372036854775808", "9223372036854775807", "4000000000000"])
    func impossibleGeneratedTime(_ text: String) async throws {
        #expect(try await refresh(document(generated: text)).status == 65)
    }

    @Test("quakes refresh accepts a feature with a property that has 400 levels of nesting") func deepNesting()
        async throws
    {
        let deep = String(repeating: "{\"a\":", count: 400) + "1e999" + String(repeating: "}", count: 400)
        let result = try await refresh(document(extra: ",\"odd\":\(deep)"))
        #expect(result.status == 0 && !result.error.contains("skipped"))
    }

    // Proves rule 14 of mirroring.md.
    @Test("quakes refresh rejects a feed whose 5,001 features are all numbers instead of objects")
    func entriesThatAreNotObjects() async throws {
        let values = String(repeating: "0,", count: 5000) + "0"
        #expect(try await refresh(Data("{\"type\":\"FeatureCollection\",\"features\":[\(values)]}".utf8)).status == 65)
    }
}
