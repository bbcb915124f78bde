import Foundation
import QuakeTestSupport
import Testing

@Suite("Documents made to do harm")
struct HostileFeedTests {
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

    @Test("A magnitude no quake has skips its feature", arguments: ["1e300", "1e18", "-1e300", "21"])
    func magnitude(_ text: String) async throws {
        let result = try await refresh(document(mag: text))
        #expect(result.status == 0 && result.changes == 0)
        #expect(result.error.contains("mag cannot be"))
    }

    @Test(
        "A place no quake has skips its feature",
        arguments: [
            ("1,2,1e308", "depth"), ("1,2,6401", "depth"), ("1,2,-101", "depth"), ("181,2,3", "longitude"),
            ("1,-91,3", "latitude"),
        ])
    func place(coordinates: String, member: String) async throws {
        let result = try await refresh(document(coordinates: coordinates))
        #expect(result.status == 0 && result.changes == 0)
        #expect(result.error.contains("\(member) cannot be"), "\(result.error)")
    }

    @Test(
        "The deepest and the highest place that a quake can have is accepted", arguments: ["0,0,6400", "-180,90,-100"])
    func extremePlace(coordinates: String) async throws {
        let result = try await refresh(document(coordinates: coordinates))
        #expect(result.status == 0 && result.error.isEmpty)
    }

    @Test("A feature of a hundred ids is read, one of more is skipped", arguments: [99, 100])
    func ids(others: Int) async throws {
        let result = try await refresh(document(ids: (0..<others).map { "ci\($0)," }.joined()))
        #expect(result.status == 0)
        #expect(
            others == 99 ? result.error.isEmpty : result.error.contains("the number of ids cannot be"),
            "\(result.error)")
    }

    @Test(
        "A document from no time, or from after tomorrow, is refused and holds nothing up",
        arguments: ["-9223372036854775808", "9223372036854775807", "4000000000000"])
    func generated(_ text: String) async throws {
        let result = try await refresh(document(generated: text))
        #expect(result.status == 65)
    }

    @Test(
        "An id of other than plain characters skips its feature",
        arguments: [("x\\u0000a", "NUL character"), ("e\\u0301", "printable ASCII"), ("a b", "printable ASCII")])
    func code(_ text: String, words: String) async throws {
        let result = try await refresh(document(code: text))
        #expect(result.status == 0 && result.error.contains(words), "\(result.error)")
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
