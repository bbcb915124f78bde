import Foundation
import QuakeTestSupport
import Testing

@Suite("Documents made to do harm")
struct HostileFeedTests {
    /// A document of one feature; `property` and `metadata` are put in the place of the ordinary ones.
    private func document(
        mag: String = "4.5", code: String = "7000zz01", extra: String = "", generated: String = "1773489600000"
    ) -> Data {
        Data(
            """
            {"type":"FeatureCollection","metadata":{"generated":\(generated),"status":200,"count":1,
            "url":"https://earthquake.usgs.gov/earthquakes/feed/v1.0/summary/all_day.geojson"},"features":[
            {"type":"Feature","properties":{"mag":\(mag),"place":"somewhere","time":1773486000000,"updated":1773486100000,
            "net":"us","code":"\(code)","ids":",us\(code),","sources":",us,","types":",origin,","type":"earthquake",
            "status":"reviewed","title":null\(extra)},"geometry":{"type":"Point","coordinates":[1,2,3]},"id":"us\(code)"}]}
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

    @Test("A magnitude no quake has skips its feature", arguments: ["1e300", "1e18", "-1e300", "21"])
    func magnitude(_ text: String) async throws {
        let result = try await refresh(document(mag: text))
        #expect(result.status == 0 && result.changes == 0)
        #expect(result.error.contains("mag cannot be"))
    }

    @Test(
        "A document from no time, or from after tomorrow, is refused and holds nothing up",
        arguments: ["-9223372036854775808", "9223372036854775807", "4000000000000"])
    func generated(_ text: String) async throws {
        let result = try await refresh(document(generated: text))
        #expect(result.status == 65)
    }

    @Test("An id of other than plain characters skips its feature", arguments: ["x\\u0000a", "e\\u0301", "a b"])
    func code(_ text: String) async throws {
        let result = try await refresh(document(code: text))
        #expect(result.status == 0 && result.error.contains("printable ASCII"))
    }

    @Test("Values nested hundreds deep are kept as they are")
    func nesting() async throws {
        let deep = String(repeating: "{\"a\":", count: 400) + "1e999" + String(repeating: "}", count: 400)
        let result = try await refresh(document(extra: ",\"odd\":\(deep)"))
        #expect(result.status == 0 && result.error.isEmpty)
    }

    @Test("A list of values that are no features is refused")
    func strangers() async throws {
        let values = String(repeating: "0,", count: 5000) + "0"
        let result = try await refresh(Data("{\"type\":\"FeatureCollection\",\"features\":[\(values)]}".utf8))
        #expect(result.status == 65)
    }
}
