import Foundation
import QuakeTestSupport
import Testing

@Suite("Sources that can be told apart", .timeLimit(.minutes(5)), .scratch)
struct SourceTests {
    /// The answer of an event service that does not say what it was asked.
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
                #expect(output == "query M ≥ 4 at 127.0.0.1:\(server.port): 1 in feed, 1 new, 0 changed, 0 unchanged\n")
                #expect(server.requests.allSatisfy { $0.headers["if-none-match"] == nil })
                #expect(try await cache.output("refresh", weak).hasSuffix(": not modified\n"))
                let feeds = try await cache.json("status", "--format", "json")["feeds"].elements
                #expect(feeds.map { $0["name"].text } == [weak, strong])
                #expect(feeds.map { $0["url"].text } == [weak, strong])
                #expect(feeds.first?["title"].text == "query: M ≥ 4 at 127.0.0.1:\(server.port)")
            }
        }
    }

    @Test("The status names a query in a few words, and --forget drops it by them or by its address")
    func forget() async throws {
        let cache = try Cache.ofTest()
        try await cache.refresh("all_day-1")
        let addresses = ["5", "6"].map { "http://127.0.0.1:9/query?starttime=1990-01-01&minmagnitude=\($0)" }
        for address in addresses { try await cache.run("refresh", address) }
        let status = try await cache.output("status")
        #expect(status.contains("feed        query: M ≥ 5, since 1990 at 127.0.0.1:9\n"))
        // Only the command that helps has the address.
        let lines = status.split(separator: "\n").filter { $0.contains("starttime") }
        #expect(lines.allSatisfy { $0.contains("run: quakes ") })
        try await cache.output("status", "--forget", "query: M ≥ 5, since 1990 at 127.0.0.1:9")
        try await cache.output("status", "--forget", addresses[1])
        #expect(try await cache.json("status", "--format", "json")["feeds"].elements.count == 1)
        let unknown = try await cache.run("status", "--forget", addresses[1])
        #expect(unknown.exitStatus == 4 && unknown.errorOutput.contains("no feed, file or query"))
    }

    @Test("A title that two sources share is not enough to forget one")
    func ambiguous() async throws {
        let cache = try Cache.ofTest()
        try await cache.refresh("all_day-1")
        for order in ["time", "magnitude"] {
            try await cache.run("refresh", "http://127.0.0.1:9/q?orderby=\(order)")
        }
        let result = try await cache.run("status", "--forget", "query: all at 127.0.0.1:9")
        #expect(result.exitStatus == 64 && result.errorOutput.contains("orderby=time"))
        #expect(try await cache.json("status", "--format", "json")["feeds"].elements.count == 3)
    }

    @Test("Several files: each line names its file, and the last line is the total")
    func severalFiles() async throws {
        let (cache, scratch) = try Cache.andFolderOfTest()
        let files = ["all_day-1", "all_day-2"].map { Fixture.url("feeds/\($0).geojson").path }
        let result = try await cache.quakes.run(["refresh", scratch.path("none.json")] + files + [files[0]])
        #expect(
            result.output.split(separator: "\n") == [
                "\(files[0]) (all_day): 24 in feed, 24 new, 0 changed, 0 unchanged",
                "\(files[0]) (all_day): 24 in feed, 0 new, 0 changed, 24 unchanged",
                "\(files[1]) (all_day): 25 in feed, 4 new, 5 changed, 16 unchanged",
                "total: 3 applied, 28 new, 5 changed, 1 failed",
            ])
    }
}
