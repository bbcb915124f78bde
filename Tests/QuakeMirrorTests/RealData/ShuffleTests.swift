import Foundation
@testable import QuakeMirror
import QuakeTestSupport
import Testing

/// The invariant, for files in any order:
///
/// 1. The cache has the same quakes under the same ids, except those that one order retracted: only newest snapshots
///    show absences.
/// 2. Every quake has the values of an applied snapshot *s* that listed it, and every newer applied snapshot that
///    listed it has the same values or an older `updated`: no older value ever wins. The place name may come from
///    another of these snapshots with the same hypocenter.
/// 3. A quake whose `updated` never goes back in any snapshot has the same values as in the ordered replay, including
///    the name if all snapshots use the same name for the hypocenter.
/// 4. A state as published by a moment has no quake and no value that was published later.
// Proves rule 10 of mirroring.md.
@Suite("Snapshots in random order", .computing) struct ShuffleTests {
    private struct Snapshot {
        var source: FeedSource
        var raw: RawSnapshot
    }

    /// The snapshots of feeds, read once for all orders, and the result of replaying them in order.
    private struct Series {
        let snapshots: [Snapshot]
        let ordered: [Snapshot]
        let reference: Outcome

        init(_ paths: [String]) throws { try self.init(files: paths.flatMap { try RealData.snapshots(ofSeries: $0) }) }

        init(files: [String]) throws {
            snapshots = try files.map { Snapshot(source: .file($0), raw: try RawSnapshot(path: $0)) }
            ordered = snapshots.sorted { $0.raw.generated < $1.raw.generated }
            reference = try ShuffleTests.replay(ordered)
        }
    }

    private static let caribbean = Result { try Series(["series/caribbean-2025-jul-sep"]) }
    /// The week takes ten times as long as the other six together, and overlaps them no more than the day does.
    private static let world = Result {
        try Series(RealSeriesTests.worldFeeds.filter { $0 != "all_week" }.map { "\(RealSeriesTests.world)/\($0)" })
    }

    @Test(
        "An older snapshot never overrides a newer one, in random orders of 80 synthetic snapshots", .scratch,
        arguments: Thoroughness.seeds(5, of: 100))
    func randomSeries(seeds: Range<Int>) throws {
        let folder = try ScratchDirectory.ofTest()
        var random = SplitMix64(state: 7)
        var world = RandomWorld(sharesIDs: false)
        let series = try Series(
            files: (1...80).map { number in
                for _ in 0..<3 { world.change(at: Int64(number) * 15, &random) }
                let features = world.quakes.map { FeedText.feature($0) }
                return try folder.write(
                    Document.feed("all_week", at: Int64(number) * 15, features: features), to: "\(number).geojson")
            })
        #expect(!series.reference.retracted.isEmpty)
        try check(series, seeds)
    }

    @Test(
        "An older snapshot never overrides a newer one, in random orders of 300 published snapshots", .needsRealData,
        arguments: Thoroughness.seeds(1, of: 100))
    func oneFeed(seeds: Range<Int>) throws {
        try check(Self.caribbean.get(), seeds)
    }

    @Test(
        "An older snapshot never overrides a newer one, in random orders of six overlapping feeds", .needsRealData,
        arguments: Thoroughness.seeds(1, of: 100))
    func overlappingFeeds(seeds: Range<Int>) throws {
        try check(Self.world.get(), seeds)
    }

    private func check(_ series: Series, _ seeds: Range<Int>) throws {
        for seed in seeds {
            var generator = SplitMix64(state: UInt64(seed))
            let outcome = try Self.replay(series.snapshots.shuffled(using: &generator))
            for (id, quake) in outcome.cache {
                let listings = series.snapshots.compactMap { snapshot in
                    snapshot.raw.quakes[id].map { (generated: snapshot.raw.generated, quake: $0) }
                }
                let isJustified = listings.contains { source in
                    source.quake.isButForItsName(quake)
                        && listings.allSatisfy { other in
                            other.generated <= source.generated || other.quake.updated < quake.updated
                                || other.quake.isButForItsName(quake)
                        }
                }
                #expect(isJustified, "seed \(seed): \(id) has values that a newer snapshot contradicts")
                let isNamed = listings.contains {
                    $0.quake.hypocenter == quake.hypocenter && $0.quake.place == quake.place
                }
                #expect(isNamed, "seed \(seed): \(id) has a name that no snapshot gave to this hypocenter")
            }
            try compare(outcome, with: series, seed: seed)
        }
    }

    private struct Outcome {
        var cache: [String: RawQuake] = [:]
        /// The ids of all quakes that were ever retracted.
        var retracted: Set<String> = []
        /// The state as published by a moment in the middle.
        var published: (moment: Int64, quakes: [String: RawQuake])?
    }

    /// Applies `snapshots` in this order.
    private static func replay(_ snapshots: [Snapshot]) throws -> Outcome {
        try withScratchDirectory { directory in
            let replay = try Replay(in: directory)
            var outcome = Outcome()
            for snapshot in snapshots { #expect(try replay.mirror.refresh(snapshot.source).outcome == .applied) }
            try replay.context.enumerate { outcome.cache[$0.quake.id] = RawQuake($0.quake) }
            try replay.context.history.fetch(HistoryDescriptor()) { event in
                if case .change(let relevant) = event, case .delete(let quake, _) = relevant.change.effect {
                    outcome.retracted.insert(quake.id)
                }
            }
            let moment = snapshots.map(\.raw.generated).sorted()[snapshots.count / 2]
            do {
                try replay.context.pin(to: .published(Timestamp(milliseconds: moment)))
            } catch StoreError.beforeFirstSnapshot {
                // No older file added anything.
                return outcome
            }
            var published: [String: RawQuake] = [:]
            try replay.context.enumerate { published[$0.quake.id] = RawQuake($0.quake) }
            outcome.published = (moment, published)
            return outcome
        }
    }

    private func compare(_ outcome: Outcome, with series: Series, seed: Int) throws {
        let (reference, ordered) = (series.reference, series.ordered)
        let others = Set(outcome.cache.keys).symmetricDifference(reference.cache.keys)
        let unexplained = others.subtracting(outcome.retracted).subtracting(reference.retracted)
        #expect(unexplained == [], "seed \(seed): in one of both caches only")
        if let (moment, published) = outcome.published {
            for (id, quake) in published {
                let isKnown = ordered.contains { snapshot in
                    snapshot.raw.generated <= moment && snapshot.raw.quakes[id]?.updated == quake.updated
                }
                #expect(isKnown, "seed \(seed): \(id) was not published like this by \(moment)")
            }
        }
        for (id, expected) in reference.cache where outcome.cache[id] != nil {
            let listings = ordered.filter { $0.raw.quakes[id] != nil }
            let stamps = listings.compactMap { $0.raw.quakes[id]?.updated }
            guard stamps == stamps.sorted() else { continue }
            let isNamedOnce = Dictionary(grouping: listings.compactMap { $0.raw.quakes[id] }, by: \.hypocenter)
                .values.allSatisfy { Set($0.map(\.place)).count == 1 }
            let differences = outcome.cache[id]?.differences(from: expected).subtracting(isNamedOnce ? [] : ["place"])
            #expect(differences == [], "seed \(seed): \(id) differs from the ordered replay")
        }
    }
}
