import Foundation
import QuakeTestSupport
import Testing

@testable import QuakeMirror

/// Skipping a feature with known bytes must have the same effect as decoding and judging it.
@Suite("Skipping unchanged features makes no difference", .computing, .scratch) struct UnchangedFeatureTests {
    @Test(
        "Skipping unchanged features gives the same cache as reading them, for Fixtures/stories",
        arguments: Story.all)
    func stories(_ story: Story) throws {
        var twins = try TwinReplay(in: .ofTest(), settings: story.settings)
        for step in story.steps {
            for reading in 1...2 {
                #expect(try twins.apply(story.path(step)) == [], "step \(step), reading \(reading)")
            }
        }
    }

    @Test(
        "Skipping unchanged features gives the same cache as reading them, for the sample feeds",
        arguments: [false, true])
    func feeds(isStrict: Bool) throws {
        var twins = try TwinReplay(in: .ofTest(), settings: MirrorSettings(isStrict: isStrict))
        let names = try Fixture.names(in: "feeds")
        for name in names + names {
            #expect(try twins.apply(Fixture.url("feeds/\(name)").path) == [], "\(name)")
        }
        #expect(twins.sameFeatures > 40)
    }

    @Test(
        "Skipping unchanged features gives the same cache as reading them, for malformed documents",
        arguments: [false, true])
    func defectiveDocuments(isStrict: Bool) throws {
        for name in try Fixture.names(in: "malformed") where name.hasSuffix(".geojson") {
            try withScratchDirectory { directory in
                var twins = try TwinReplay(in: directory, settings: MirrorSettings(isStrict: isStrict))
                for _ in 1...2 {
                    #expect(try twins.apply(Fixture.url("malformed/\(name)").path) == [], "\(name)")
                }
            }
        }
    }

    /// Successive documents, and what is special about them.
    static let documents: [(String, [Data])] = {
        let (old, new) = (Quake.sample("us", "1"), Quake.sample("us", "1", magnitude: 3, updated: .minute(1)))
        let other = Quake.sample("ak", "2")
        let both = Quake.sample("us", "1", ids: ["ak2", "us1"], updated: .minute(4))
        let bad = FeedText.feature(old).replacing(#""mag":2.0"#, with: #""mag":"large""#)
        let first = Document.day(at: 0, old)
        return [
            (
                "A server that lags behind a merge splits it; the same bytes as before merge again (rule 3)",
                [
                    Document.day(at: 0, old, other), Document.day(at: 5, both), Document.day(at: 6, old, other),
                    Document.day(at: 7, both),
                ]
            ),
            (
                "A feature listed twice in the same bytes",
                [Document.day(at: 0, old, old), Document.day(at: 5, old, old)]
            ),
            ("Of two features of one id the first stands", [first, Document.day(at: 5, new, old)]),
            ("also where the second is new", [first, Document.day(at: 5, old, new)]),
            ("and of three", [first, Document.day(at: 5, old, new, old)]),
            ("and of four", [first, Document.day(at: 5, new, new, old, old)]),
            (
                "One that cannot be read before the same quake as the cache holds it",
                [first, Document.feed("all_day", at: 5, features: [bad, FeedText.feature(old)])]
            ),
        ]
    }()

    @Test(
        "Skipping unchanged features gives the same cache as reading them, for merges and splits", arguments: documents)
    func repeatedMergedSplit(name: String, documents: [Data]) throws {
        var twins = try TwinReplay(in: .ofTest())
        for document in documents {
            #expect(try twins.apply(ScratchDirectory.ofTest().write(document, to: "snapshot.geojson")) == [])
        }
    }

    @Test(
        "Skipping unchanged features gives the same cache as reading them, for random snapshots",
        arguments: Thoroughness.seeds(2, of: 20),
        [false, true])
    func randomSeries(seeds: Range<Int>, sharesIDs: Bool) throws {
        for seed in seeds { #expect(try difference(inSeries: seed, sharesIDs: sharesIDs) == nil) }
    }

    /// Returns the first difference in a series of 60 documents.
    private func difference(inSeries seed: Int, sharesIDs: Bool) throws -> String? {
        try withScratchDirectory { directory in
            let settings = MirrorSettings(confirmSnapshots: 1 + seed % 4, confirmAfter: .seconds(seed % 3 * 900))
            var twins = try TwinReplay(in: directory, settings: settings, now: .minute(10_000))
            var series = RandomSeries(seed: UInt64(seed), sharesIDs: sharesIDs)
            for step in 0..<60 {
                let differences = try twins.apply(directory.write(series.next(), to: "snapshot.geojson"))
                if !differences.isEmpty { return "seed \(seed), step \(step): \(differences)" }
            }
            #expect(twins.sameFeatures > 100, "seed \(seed) has next to nothing to skip")
            return nil
        }
    }

    @Test(
        "Skipping unchanged features gives the same cache as reading them, for archived snapshots", .needsRealData,
        arguments: ["caribbean-2025-jul-sep", "caribbean-2025-jul-flapping"])
    func publishedSeries(_ name: String) throws {
        for settings in [MirrorSettings(), MirrorSettings(confirmSnapshots: 1, confirmAfter: .zero)] {
            try withScratchDirectory { directory in
                var twins = try TwinReplay(in: directory, settings: settings)
                try twins.expectNoDifference(
                    after: Thoroughness.sample(30, of: RealData.snapshots(ofSeries: "series/\(name)")))
                #expect(twins.sameFeatures > (Thoroughness.isFull ? 100 : 50))
            }
        }
    }

    @Test("Skipping unchanged features gives the same cache as reading them, for overlapping feeds", .needsRealData)
    func overlappingFeeds() throws {
        var twins = try TwinReplay(in: .ofTest())
        let snapshots = try RealSeriesTests.worldFeeds.flatMap {
            try RealData.snapshots(ofSeries: "\(RealSeriesTests.world)/\($0)")
        }
        // In random order, so that snapshots of one feed meet newer ones of another.
        try twins.expectNoDifference(after: snapshots)
        #expect(twins.sameFeatures > 1000)
    }
}
