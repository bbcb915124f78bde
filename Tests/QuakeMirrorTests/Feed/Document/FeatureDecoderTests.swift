import Foundation
import QuakeTestSupport
import Testing

@testable import QuakeMirror

/// Compares lists of features decoded in chunks on two threads with each feature decoded alone.
@Suite("Decoding many features", .computing) struct FeatureDecoderTests {
    private func decoded(
        _ snapshot: FeedSnapshot, _ indices: [Int]? = nil
    ) -> [(index: Int, result: Result<Quake, FeatureDefect>)] {
        var decoded: [FeatureDecoder.Decoded] = []
        FeatureDecoder(snapshot, indices: indices ?? Array(snapshot.features.indices)).forEach { decoded.append($0) }
        return decoded
    }

    /// Compares the decoder's results for the features at `indices` with those of each feature alone.
    private func expectPlainAnswers(
        _ snapshot: FeedSnapshot, at indices: [Int]? = nil, _ comment: Comment, from plain: PlainDecoding? = nil
    ) {
        let indices = indices ?? Array(snapshot.features.indices)
        let plain = plain ?? PlainDecoding(snapshot)
        let decoded = decoded(snapshot, indices)
        #expect(decoded.map(\.index) == indices, comment)
        for (index, result) in decoded where result.map(\.withoutExtra) != plain.results[index] {
            let feature = String(decoding: snapshot.body[snapshot.features[index].range], as: UTF8.self)
            Issue.record(
                """
                \(comment), feature \(index): \(result) against \(plain.results[index]) alone, for \
                \(feature.debugDescription)
                """)
        }
    }

    @Test("Decoding in parallel gives the same features as decoding one by one, for sample documents")
    func sampleDocuments() throws {
        let documents = try TestDocuments.fixtures()
        #expect(documents.count > 150)
        for document in documents { expectPlainAnswers(document.snapshot, "\(document.path)") }
    }

    @Test("Decoding in parallel gives the same features as decoding one by one, even malformed ones")
    func manyFeatures() throws {
        let snapshot = try TestDocuments.mixture(copies: 8)
        let plain = PlainDecoding(snapshot)
        let failures = plain.results.count { if case .failure = $0 { true } else { false } }
        #expect(plain.results.count > 2000 && failures > 100)
        // Which thread reaches a chunk first varies.
        for round in 0..<Thoroughness.count(1, of: 4) {
            expectPlainAnswers(snapshot, "round \(round)", from: plain)
            expectPlainAnswers(
                snapshot, at: Array(stride(from: round % 3, to: plain.results.count, by: 3)), "round \(round), some",
                from: plain)
        }
    }

    @Test("A caller that stops the decoder early gets only the features up to there")
    func stoppedCaller() throws {
        struct Enough: Error {}
        let snapshot = try TestDocuments.mixture(copies: 4)
        for limit in [1, 64, 65, 700] {
            var seen: [Int] = []
            let decoder = FeatureDecoder(snapshot, indices: Array(snapshot.features.indices))
            #expect(throws: Enough.self) {
                try decoder.forEach { index, _ in
                    seen.append(index)
                    if seen.count == limit { throw Enough() }
                }
            }
            #expect(seen == Array(0..<limit))
        }
        expectPlainAnswers(snapshot, "afterward")
    }

    @Test(
        "Parallel and sequential decoding give the same features, even of randomly damaged input",
        arguments: Thoroughness.seeds(1, of: 10))
    func randomDamage(seeds: Range<Int>) throws {
        for seed in seeds { try damage(seed) }
    }

    private func damage(_ seed: Int) throws {
        var random = SplitMix64(state: UInt64(seed))
        let snapshot = try TestDocuments.mixture(copies: 1)
        let alphabet = Array(#"{}[]",:\0159.eE+-ntf \#u{0}\#u{7F}"#.utf8) + [0x80, 0xC3, 0xFF]
        var damaged = 0
        for round in 0..<25 {
            var features = snapshot.features.map { Data(snapshot.body[$0.range]) }
            features.shuffle(using: &random)
            features.removeLast(features.count - 130)
            for _ in 0..<3 {
                let index = Int.random(in: features.indices, using: &random)
                let place = features[index].indices.randomElement(using: &random) ?? features[index].startIndex
                features[index][place] = alphabet[Int.random(in: alphabet.indices, using: &random)]
            }
            // Damage that shifts the end of a feature makes a different document, or none.
            guard let document = try? TestDocuments.snapshot(of: features) else { continue }
            damaged += 1
            expectPlainAnswers(document, "seed \(seed), round \(round)")
        }
        #expect(damaged > 5)
    }

    @Test("The decoder finds the same unknown properties of a feature as JSONSerialization") func unknownProperties()
        throws
    {
        var count = 0
        for (path, snapshot) in try TestDocuments.fixtures() {
            for (index, result) in decoded(snapshot) {
                guard case .success(let quake) = result else { continue }
                // Deeper than JSONSerialization can read.
                guard !path.contains("deep-nesting") else { continue }
                let expected = try PlainDecoding.unknownProperties(
                    ofFeature: snapshot.body[snapshot.features[index].range])
                let extra = try quake.extra.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) }
                #expect(extra as? NSDictionary ?? [:] == expected, "\(path), feature \(index)")
                count += expected.count
            }
        }
        #expect(count > 10)
    }

    @Test("Decoding in parallel gives the same features as decoding one by one, for published feeds", .needsRealData)
    func publishedFeeds() throws {
        for folder in ["feeds", "fdsn"] {
            for name in try FileManager.default.contentsOfDirectory(atPath: RealData.url(folder).path).sorted() {
                let snapshot = try FeedSnapshot(RealData.data("\(folder)/\(name)"), source: name)
                expectPlainAnswers(snapshot, "\(name)")
            }
        }
    }
}

extension Quake {
    fileprivate var withoutExtra: Quake {
        var quake = self
        quake.extra = nil
        return quake
    }
}
