import Foundation
import QuakeMirror
import QuakeTestSupport
import Testing

@Suite("FeedDocument without a mirror") struct FeedDocumentTests {
    // Proves feature A2 of seeds.md.
    @Test("FeedDocument lists each feature as a quake, in document order, or as skipped") func wholeDocument() throws {
        let body = try Fixture.data("feeds/all_day-1.geojson")
        let document = try FeedDocument(body)
        let json = try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any])
        let ids = (json["features"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
        #expect(!ids.isEmpty)
        #expect(document.quakes.map(\.id) == ids.filter { id in !document.skipped.contains { $0.id == id } })
        #expect(document.quakes.count + document.skipped.count == ids.count)
        #expect(document.feed == FeedName(.all, .day) && document.generated != nil)
    }

    // Proves feature A4 of seeds.md.
    @Test("FeedDocument rejects an empty document") func invalidDocument() {
        #expect(throws: DocumentError.empty) { try FeedDocument(Data()) }
    }
}
