import Foundation
import QuakeTestSupport
import Testing

@testable import QuakeMirror

/// Compares one pass over the bytes with a full parse of the document.
@Suite("Finding features in a document") struct FeatureScannerTests {
    /// Compares features and envelope; returns false if JSONSerialization cannot read the document.
    private func agrees(_ snapshot: FeedSnapshot, _ path: String) throws -> Bool {
        guard let whole = try? JSONSerialization.jsonObject(with: snapshot.body) as? [String: Any] else { return false }
        let features = try #require(whole["features"] as? [Any])
        try #require(snapshot.features.count == features.count, "\(path)")
        for (span, feature) in zip(snapshot.features, features) {
            let found = try JSONSerialization.jsonObject(with: snapshot.body[span.range], options: .fragmentsAllowed)
            #expect((found as? NSObject) == (feature as? NSObject), "\(path), feature at \(span.range)")
        }
        for index in features.indices {
            guard let id = snapshot.id(at: index) else { continue }
            #expect((features[index] as? [String: Any])?["id"] as? String == id, "\(path), feature \(index)")
        }
        var rest = whole
        rest["features"] = [Any]()
        let envelope = try JSONSerialization.jsonObject(with: FeatureScanner(snapshot.body).envelope)
        #expect(envelope as? NSDictionary == rest as NSDictionary, "\(path)")
        return true
    }

    @Test("The feature scanner finds the same features as JSONSerialization in sample documents") func sampleDocuments()
        throws
    {
        let unread = try TestDocuments.fixtures().filter { try !agrees($0.snapshot, $0.path) }.map(\.path)
        // Errors inside a feature are left for the decoder to find.
        #expect(unread.allSatisfy { $0.hasPrefix("malformed/") })
    }

    @Test("The feature scanner finds the same features as JSONSerialization in published feeds", .needsRealData)
    func publishedFeeds() throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: RealData.url("feeds").path).sorted() {
            #expect(try agrees(FeedSnapshot(RealData.data("feeds/\(name)"), source: name), name), "\(name)")
        }
    }

    @Test("The feature scanner accepts a byte order mark, escapes and entries that are not objects")
    func awkwardDocument() throws {
        let text =
            "\u{FEFF}" + #"{ "type" : "FeatureCollection","metadata":{"title":"a \"[{ \\"},"#
            + #""features":[{"id":"us1","properties":{"place":"\\\" ]}"}} , {"id":"é\\"},7 ], "bbox":[1,2]} "#
        let snapshot = try FeedSnapshot(Data(text.utf8), source: "test")
        let features = snapshot.features.map { String(decoding: snapshot.body[$0.range], as: UTF8.self) }
        #expect(features == [#"{"id":"us1","properties":{"place":"\\\" ]}"}}"#, #"{"id":"é\\"}"#, "7"])
        #expect(snapshot.features.indices.map(snapshot.id) == ["us1", nil, nil])
        for end in 0..<text.utf8.count - 2 {
            #expect(throws: DocumentError.self, "ended at \(end)") {
                try FeedSnapshot(Data(text.utf8.prefix(end)), source: "test")
            }
        }
    }

    @Test("Two features have the same hash if and only if their bytes are the same") func hashes() throws {
        var hashes: [Data: Int64] = [:]
        for (path, snapshot) in try TestDocuments.fixtures() {
            for span in snapshot.features {
                let bytes = Data(snapshot.body[span.range])
                #expect(hashes[bytes, default: span.hash] == span.hash, "\(path)")
                hashes[bytes] = span.hash
                guard let last = bytes.indices.last else { continue }
                for index in [bytes.startIndex, bytes.startIndex + bytes.count / 2, last] {
                    var other = bytes
                    other[index] ^= 1
                    #expect(other.withUnsafeBytes { ByteHash.hash($0) } != span.hash, "\(path), byte \(index)")
                }
            }
        }
        #expect(Set(hashes.values).count == hashes.count && hashes.count > 150)
    }
}
