import Foundation
import QuakeTestSupport
import Testing

@testable import QuakeFeed

/// What a scanner finds in a document that is still arriving, against what it finds in the whole of it.
@Suite("A document is scanned while it arrives")
struct ArrivingDocumentTests {
    /// Lets `bytes` arrive in `pieces`, in a room for `capacity` bytes at first.
    private func arrived(_ bytes: Data, pieces: [Int], capacity: Int? = nil) throws -> FeedDocument {
        let document = try #require(ArrivingDocument(capacity: capacity ?? bytes.count + 1, isDigested: true))
        var start = 0
        for piece in pieces {
            var rest = bytes[start..<min(start + piece, bytes.count)]
            start += rest.count
            while !rest.isEmpty {
                let room = try #require(document.makeRoom())
                let count = min(room.count, rest.count)
                rest.prefix(count).copyBytes(to: room)
                document.arrived(count)
                rest = rest.dropFirst(count)
            }
        }
        return document.finish()
    }

    private func outcome(of document: FeedDocument) -> Result<[FeatureSpan], DocumentError> {
        do throws(DocumentError) { return .success(try document.scan().features) } catch { return .failure(error) }
    }

    private let awkward = Data(
        (#"\#u{FEFF}{ "type" : "FeatureCollection","metadata":{"title":"a \"[{ \\"},"#
            + #""features":[{"id":"us1","properties":{"place":"\\\" ]}"}} , {"id":"é\\"},7 ], "bbox":[1,2]} "#).utf8)

    @Test("Cut in two at every byte, also within escapes, characters and the mark before the text")
    func cutAnywhere() throws {
        let whole = outcome(of: FeedDocument(awkward))
        guard case .success(let features) = whole else {
            Issue.record("\(whole)")
            return
        }
        #expect(features.count == 3)
        for cut in 0...awkward.count {
            let document = try arrived(awkward, pieces: [cut, awkward.count])
            #expect(outcome(of: document) == whole, "cut at \(cut)")
            #expect(document.bytes == awkward)
            #expect(document.beginDigest()() == FeedDocument(awkward).beginDigest()())
        }
    }

    @Test("Ended at every byte, it is what a file of these bytes is")
    func endedAnywhere() throws {
        for end in 0..<awkward.count {
            let part = Data(awkward.prefix(end))
            #expect(outcome(of: try arrived(part, pieces: [end])) == outcome(of: FeedDocument(part)), "ended at \(end)")
        }
    }

    @Test("Fixtures in pieces of any size, in a room too small or just right", arguments: [1, 7, 64, 4096, 1 << 20])
    func fixtures(piece: Int) throws {
        for path in try TestDocuments.fixturePaths() {
            let bytes = try Fixture.data(path)
            let pieces = Array(repeating: piece, count: bytes.count / piece + 1)
            let whole = outcome(of: FeedDocument(bytes))
            for capacity in [bytes.count, 100, 1 << 20] {
                let document = try arrived(bytes, pieces: pieces, capacity: capacity)
                #expect(outcome(of: document) == whole, "\(path), room for \(capacity)")
                #expect(document.bytes == bytes)
                #expect(document.beginDigest()() == BodyDigest.hexadecimal(of: bytes))
            }
        }
    }

    @Test("One that nobody finishes leaves no thread waiting")
    func abandoned() throws {
        // More than the pool of threads holds, so that the last would not start if the first were still there.
        for _ in 0..<600 {
            let document = try #require(ArrivingDocument(capacity: 100))
            let room = try #require(document.makeRoom())
            room[0] = UInt8(ascii: "{")
            document.arrived(1)
        }
        #expect(outcome(of: try arrived(awkward, pieces: [5, 1000])) == outcome(of: FeedDocument(awkward)))
    }

    @Test("A file that tells no size is read whole")
    func fileWithoutSize() throws {
        let document = try FileContents.read(path: "/proc/self/status", limit: 1 << 20)
        #expect(String(decoding: document.bytes, as: UTF8.self).contains("VmPeak"))
    }

    @Test("A file larger than the limit is too large, however large")
    func tooLarge() throws {
        try withScratchDirectory { scratch in
            let path = try scratch.write(Data(count: 1001), to: "large")
            #expect(throws: FeedError.document(.tooLarge(limit: 1000), source: path)) {
                try FileContents.read(path: path, limit: 1000)
            }
            #expect(truncate(path, 1 << 42) == 0)
            #expect(throws: FeedError.document(.tooLarge(limit: 1000), source: path)) {
                try FileContents.read(path: path, limit: 1000)
            }
        }
    }
}
