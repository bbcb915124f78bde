import Foundation
import QuakeTestSupport
import Testing

@testable import QuakeMirror

/// Skipping a feature with known bytes must have the same effect as decoding and judging it.
@Suite("Skipping unchanged features leaves the cache that judging every feature leaves", .computing, .scratch)
struct UnchangedFeatureTests {
    @Test("Every story, each snapshot refreshed twice", arguments: Story.all)
    func stories(_ story: Story) throws {
        let directory = try ScratchDirectory.ofTest()
        var twins = try TwinReplay(in: directory, settings: story.settings)
        for step in story.steps {
            for reading in 1...2 {
                #expect(try twins.apply(story.path(step)) == [], "step \(step), reading \(reading)")
            }
        }
    }

    @Test("The feeds of Fixtures, one after the other and once more", arguments: [false, true])
    func feeds(isStrict: Bool) throws {
        let directory = try ScratchDirectory.ofTest()
        var twins = try TwinReplay(in: directory, settings: MirrorSettings(isStrict: isStrict))
        let names = try Fixture.names(in: "feeds")
        for name in names + names {
            #expect(try twins.apply(Fixture.url("feeds/\(name)").path) == [], "\(name)")
        }
        #expect(twins.sameFeatures > 40)
    }

    @Test("Documents with a defect, read twice", arguments: [false, true])
    func malformed(isStrict: Bool) throws {
        for name in try Fixture.names(in: "malformed") where name.hasSuffix(".geojson") {
            try withScratchDirectory { directory in
                var twins = try TwinReplay(in: directory, settings: MirrorSettings(isStrict: isStrict))
                for _ in 1...2 {
                    #expect(try twins.apply(Fixture.url("malformed/\(name)").path) == [], "\(name)")
                }
            }
        }
    }

    @Test("A server that lags behind a merge splits it; back in time, the same bytes as before merge again (rule 3)")
    func mergeAfterSplit() throws {
        let (one, other) = (Quake.sample("us", "7000zz01"), Quake.sample("ak", "a2026zz"))
        let both = Quake.sample("us", "7000zz01", ids: ["aka2026zz", "us7000zz01"], updated: .minute(4))
        try expectNoDifference(
            after: Document.day(at: 0, one, other), Document.day(at: 5, both), Document.day(at: 6, one, other),
            Document.day(at: 7, both))
    }

    @Test("A feature listed twice in the same bytes is skipped as a duplicate the second time it is read, too")
    func sameBytesTwice() throws {
        let quake = Quake.sample("us", "7000zz01")
        try expectNoDifference(after: Document.day(at: 0, quake, quake), Document.day(at: 5, quake, quake))
    }

    @Test("Of two features of one id the first stands, also where the second is what the cache holds")
    func firstOfTwoStands() throws {
        let (old, new) = (
            Quake.sample("us", "7000zz01"), Quake.sample("us", "7000zz01", magnitude: 3, updated: .minute(1))
        )
        try expectNoDifference(after: Document.day(at: 0, old), Document.day(at: 5, new, old))
        try expectNoDifference(after: Document.day(at: 0, old), Document.day(at: 5, old, new))
        try expectNoDifference(after: Document.day(at: 0, old), Document.day(at: 5, old, new, old))
        try expectNoDifference(after: Document.day(at: 0, old), Document.day(at: 5, new, new, old, old))
    }

    @Test("A feature that cannot be read stands before the same quake as the cache holds it: a duplicate either way")
    func unreadableBeforeSeen() throws {
        let quake = Quake.sample("us", "7000zz01")
        let bad = FeedText.feature(quake).replacing(#""mag":2.0"#, with: #""mag":"large""#)
        try expectNoDifference(
            after: Document.day(at: 0, quake),
            Document.feed("all_day", at: 5, features: [bad, FeedText.feature(quake)]))
    }

    private func expectNoDifference(after documents: Data...) throws {
        try withScratchDirectory { directory in
            var twins = try TwinReplay(in: directory)
            for document in documents {
                #expect(try twins.apply(directory.write(document, to: "snapshot.geojson")) == [])
            }
        }
    }

    @Test("Series drawn at random", arguments: Thoroughness.seeds(2, of: 20))
    func randomSeries(seeds: Range<Int>) throws {
        for seed in seeds { #expect(try difference(inSeries: seed, sharesIDs: false) == nil) }
    }

    @Test("Series drawn at random in which quakes merge", arguments: Thoroughness.seeds(2, of: 20))
    func randomMerges(seeds: Range<Int>) throws {
        for seed in seeds { #expect(try difference(inSeries: seed, sharesIDs: true) == nil) }
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

    @Test("A week of the world and the week two days later, twice", .needsRealData)
    func week() throws {
        let directory = try ScratchDirectory.ofTest()
        var twins = try TwinReplay(in: directory)
        for name in ["2021-07-20T1423Z", "2021-07-22T2039Z", "2021-07-22T2039Z"] {
            let path = try RealData.url("feeds/all_week__\(name)__api1.10.3.geojson").path
            #expect(try twins.apply(path) == [], "\(name)")
        }
        #expect(twins.sameFeatures > 4000)
    }

    @Test("Published series", .needsRealData, arguments: ["caribbean-2025-jul-sep", "caribbean-2025-jul-flapping"])
    func series(_ name: String) throws {
        for settings in [MirrorSettings(), MirrorSettings(confirmSnapshots: 1, confirmAfter: .zero)] {
            try withScratchDirectory { directory in
                var twins = try TwinReplay(in: directory, settings: settings)
                try twins.expectNoDifference(
                    after: Thoroughness.sample(30, of: Truth.snapshots(ofSeries: "series/\(name)")))
                #expect(twins.sameFeatures > (Thoroughness.isFull ? 100 : 50))
            }
        }
    }

    @Test("Seven feeds of the world that overlap, in one cache", .needsRealData)
    func overlappingFeeds() throws {
        let directory = try ScratchDirectory.ofTest()
        var twins = try TwinReplay(in: directory)
        let snapshots = try RealSeriesTests.worldFeeds.flatMap {
            try Truth.snapshots(ofSeries: "\(RealSeriesTests.world)/\($0)")
        }
        // In random order, so that snapshots of one feed meet newer ones of another.
        try twins.expectNoDifference(after: snapshots)
        #expect(twins.sameFeatures > 1000)
    }
}
