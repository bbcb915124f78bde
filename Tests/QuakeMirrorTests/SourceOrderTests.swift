import Foundation
import QuakeMirror
import QuakeTestSupport
import Testing

@Suite("Order of several sources", .scratch) struct SourceOrderTests {
    private func document(_ generated: Int64) -> Data {
        Data(#"{"type":"FeatureCollection","metadata":{"generated":\#(generated)},"features":[]}"#.utf8)
    }

    @Test("Files are sorted by their generated time, and unreadable files come last")
    func order() throws {
        let directory = try ScratchDirectory.ofTest()
        let late = FeedSource.file(try directory.write(document(3000), to: "a.geojson"))
        let early = FeedSource.file(try directory.write(document(1000), to: "b.geojson"))
        let middle = FeedSource.file(try directory.write(document(2000), to: "c.geojson"))
        let missing = FeedSource.file(directory.path("missing.geojson"))
        let feed = FeedSource.summary(FeedName(.all, .day))
        #expect(SourceOrder.sorted([missing, late, feed, early, middle]) == [early, middle, feed, late, missing])
    }

    @Test("Files with the same generated time stay in the order given") func equalTimes() throws {
        let directory = try ScratchDirectory.ofTest()
        let files = try ["b", "a", "c"].map { FeedSource.file(try directory.write(document(1000), to: $0)) }
        #expect(SourceOrder.sorted(files) == files)
    }
}
