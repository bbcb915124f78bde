import Foundation
import QuakeTestSupport
import Testing

@Suite("The first refresh", .endsInTime, .scratch(on: .disk)) struct FirstRefreshTests {
    @Test(
        "If the first quakes refresh or quakes backfill fails, no cache file is created",
        arguments: [204, 206, 404, 500, 200])
    func failureLeavesNoCache(status: Int) async throws {
        let server = try FeedServer.ofTest()
        server.serve(status == 200 ? .document(Data("<html>".utf8)) : ServedAnswer(status: status), at: "/feed")
        // From the event service, 204 is a valid response.
        server.serve(ServedAnswer(status: status == 204 ? 500 : status), at: "/count")
        let (cache, scratch) = try Cache.andFolderOfTest()
        let refresh = try await cache.run("refresh", server.url("/feed"))
        #expect(refresh.exitStatus == (status == 200 ? 65 : 69) && refresh.errorOutput.hasPrefix("quakes: "))
        #expect(status == 200 || refresh.errorOutput.contains("/feed returned status \(status)."))
        let bad = try scratch.write(Data("[]".utf8), to: "bad.json")
        #expect(try await cache.run("refresh", bad).exitStatus == 65)
        #expect(try await cache.run("refresh", "--strict", Self.unreadable(in: scratch)).exitStatus == 65)
        if status != 200 {
            let backfill = try await cache.run(
                "backfill", "--since", "2020", "--service-url", server.url("/query"), "--max-time", "1s")
            #expect(backfill.exitStatus == 69, "\(backfill.errorOutput)")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: scratch.url.path)
        #expect(Set(names).isDisjoint(with: ["quakes.db", "quakes.db-wal", "quakes.db-shm"]), "\(names)")
        #expect(try await cache.run("list").exitStatus == 66)
        try await cache.refresh("all_day-1")
        #expect(try await cache.run("refresh", bad).exitStatus == 65)
        #expect(try await cache.output("list", "--count") == "24\n")
    }

    /// The path of a document with an unreadable feature.
    private static func unreadable(in scratch: ScratchDirectory) throws -> String {
        let text = #"{"type":"FeatureCollection","features":[{"id":"us1"}]}"#
        return try scratch.write(Data(text.utf8), to: "unreadable.json")
    }

    @Test("quakes refresh accepts status 204 from a query, but exits with 69 for 204 from a feed")
    func noContent() async throws {
        let server = try FeedServer.ofTest()
        server.serveEverything(ServedAnswer(status: 204))
        let cache = try Cache.ofTest()
        #expect(try await cache.output("refresh", server.url("/query?minmagnitude=9")).hasSuffix(": no quakes match\n"))
        #expect(try await cache.run("refresh", "all_day", "--base-url", server.base).exitStatus == 69)
        let feeds = try await cache.json("status", "--format", "json")["feeds"].elements
        let day = try #require(feeds.first { $0["name"].text == "all_day" })
        #expect(day["checked"] == .null && day["error"].text?.contains("204") == true, "\(day)")
    }
}
