import Foundation
import QuakeTestSupport
import Testing

@Suite("Sources that can be told apart", .timeLimit(.minutes(5)), .scratch)
struct SourceTests {
    /// The response of an event service that does not repeat the request.
    private func answer(generated: Int64, id: String) -> String {
        """
        {"type":"FeatureCollection","metadata":{"generated":\(generated),"url":"https://example.org/query"},"features":[\
        {"type":"Feature","id":"us\(id)","properties":{"net":"us","code":"\(id)","time":1773489600000,\
        "updated":1773489600000,"mag":5},"geometry":{"type":"Point","coordinates":[1,2,3]}}]}
        """
    }

    @Test("Queries that differ are different sources: neither ETag nor age of one answer matters to the other")
    func queries() async throws {
        try await withServer { server in
            try await withCache { cache, _ in
                let strong = server.url("/query?format=geojson&minmagnitude=5")
                let weak = server.url("/query?format=geojson&minmagnitude=4")
                server.serve(.document(answer(generated: 1_773_489_700_000, id: "1a"), etag: "\"a\""), at: "/query")
                try await cache.output("refresh", strong)
                server.serve(.document(answer(generated: 1_773_489_600_000, id: "2b"), etag: "\"b\""), at: "/query")
                let output = try await cache.output("refresh", weak)
                #expect(output == "\(weak): 1 in feed, 1 new, 0 changed, 0 unchanged\n")
                #expect(server.requests.allSatisfy { $0.headers["if-none-match"] == nil })
                #expect(try await cache.output("refresh", weak).hasSuffix(": not modified\n"))
                let feeds = try await cache.json("status", "--format", "json")["feeds"].elements
                #expect(feeds.map { $0["name"].text } == [weak, strong])
                #expect(feeds.map { $0["url"].text } == [weak, strong])
            }
        }
    }

    @Test("--forget drops a query that the status names")
    func forget() async throws {
        let cache = try Cache.ofTest()
        try await cache.refresh("all_day-1")
        let address = "http://127.0.0.1:9/query?starttime=1990-01-01&minmagnitude=5"
        try await cache.run("refresh", address)
        #expect(try await cache.output("status").contains("feed        \(address); failed "))
        try await cache.output("status", "--forget", address)
        #expect(try await cache.json("status", "--format", "json")["feeds"].elements.count == 1)
        let unknown = try await cache.run("status", "--forget", address)
        #expect(unknown.exitStatus == 4 && unknown.errorOutput.contains("no feed, file or query"))
    }
}
