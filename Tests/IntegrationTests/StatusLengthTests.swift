import Foundation
import QuakeTestSupport
import Testing

@Suite("How long the text of status is")
struct StatusLengthTests {
    @Test("Of many addresses the text shows the ten asked last and counts the rest; JSON has all")
    func manyAddresses() async throws {
        try await withServer { server in
            let body = try Fixture.data("feeds/all_day-1.geojson")
            server.serve(.document(body), at: "/feed")
            try await withCache { cache, _ async throws in
                try await cache.output("refresh", Fixture.url("feeds/all_day-1.geojson").path)
                let failing = (0..<3).map { server.url("/none?part=\($0)") }
                let good = (0..<20).map { server.url("/feed?part=\($0)") }
                #expect(try await cache.quakes.run(["refresh"] + failing).exitStatus == 69)
                #expect(try await cache.quakes.run(["refresh"] + good).exitStatus == 0)
                let lines = try await cache.output("status").split(separator: "\n")
                let feeds = lines.filter { $0.hasPrefix("feed ") }
                #expect(feeds.count == 12, "all_day, ten addresses, and the rest")
                #expect(feeds.contains { $0.contains("all_day") })
                #expect(feeds.last?.contains("and 13 more, 3 of them failing; --format json lists all") == true)
                #expect(lines.count <= 24)
                #expect(try await cache.json("status", "-f", "json")["feeds"].elements.count == 24)
            }
        }
    }
}
