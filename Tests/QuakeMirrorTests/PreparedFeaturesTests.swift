import Foundation
import QuakeTestSupport
import Testing

@testable import QuakeMirror

// Proves promise 18 of reliability.md.
@Suite("Reading features before the cache is locked", .scratch) struct PreparedFeaturesTests {
    private let scratch: ScratchDirectory
    private let cache: Replay

    init() throws {
        scratch = try .ofTest()
        cache = try Replay(in: scratch)
    }

    private func prepared(_ body: Data) throws -> PreparedFeatures {
        let snapshot = try FeedSnapshot(body, source: "test")
        var prepared = try PreparedFeatures(snapshot, skipsUnchanged: true, in: cache.context.sources)
        prepared.decode()
        return prepared
    }

    private func feature(_ number: Int, extra: Int = 0) -> String {
        let products = extra == 0 ? "" : ",\"odd\":\"" + String(repeating: "x", count: extra) + "\""
        return FeedText.feature(.sample("us", "\(number)"), products: products)
    }

    @Test("All features of an ordinary feed are decoded before the cache is locked") func ordinaryDocument() throws {
        let prepared = try prepared(Fixture.data("feeds/all_day-1.geojson"))
        #expect(
            prepared.indicesToJudge.count > 20 && prepared.indicesToJudge.allSatisfy { prepared.decoded[$0] != nil })
    }

    @Test("The first 500 small features and all large ones are decoded before the cache is locked")
    func manyFeatures() throws {
        let features = (0..<600).map { feature($0, extra: $0 % 100 == 99 ? 5000 : 0) } + [#"{"id":"us600"}"#]
        let prepared = try prepared(Document.feed("all_day", at: 60, features: features))
        #expect(prepared.decoded.count == 506)
        #expect(stride(from: 99, to: 600, by: 100).allSatisfy { prepared.decoded[$0] != nil })
    }

    @Test("A feature marked as deleted is recognized even if not decoded before the cache is locked")
    func deletedFeatures()
        throws
    {
        let deleted = Document.deletedEvent("us1")
        let features = [deleted] + (0..<500).map { feature($0) } + [deleted]
        let prepared = try prepared(Document.feed("all_day", at: 60, features: features))
        #expect(prepared.decoded[0] != nil && prepared.decoded[501] == nil)
        #expect(prepared.deletedID(at: 0) == "ci777" && prepared.deletedID(at: 501) == "ci777")
    }

    @Test("Features that another program applies before this one locks the cache count as seen before")
    func changedCache()
        throws
    {
        let body = try Fixture.data("feeds/all_day-1.geojson")
        let prepared = try prepared(body)
        #expect(prepared.seenKeys.isEmpty)
        #expect(try prepared.updated(from: cache.context.sources).seenKeys.isEmpty)
        let report = try Replay(in: scratch).apply(body).report
        let updated = try prepared.updated(from: cache.context.sources)
        #expect(updated.seenKeys.count == report.inserted.values.reduce(0, +) && !updated.seenKeys.isEmpty)
        #expect(updated.decoded.count == prepared.decoded.count)
    }
}
