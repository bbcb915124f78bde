@testable import QuakeMirror
import QuakeTestSupport
import Testing

/// The invariant, for snapshots in any order of arrival:
///
/// 1. A snapshot is ignored exactly when one of its own feed with a larger `generated` was applied before.
/// 2. The values of every quake are those of an applied snapshot *s* that listed it, and every applied snapshot newer
///    than *s* that listed it has the same values or an older `updated`: no older value ever wins. The place name may be
///    from another one of these snapshots, which has the same hypocenter.
/// 3. A quake whose newest listing snapshot was applied, and that no snapshot shows with a step back in `updated`, has
///    the values that the ordered replay gives; the name too where all snapshots name a hypocenter alike.
@Suite("Shuffled snapshots: an older one never undoes a newer one", .computing, .needsRealData)
struct ShuffleTests {
    private struct Snapshot {
        var source: FeedSource
        var feed: String
        var raw: RawSnapshot
    }

    /// The snapshots of feeds, read once for all orders, and what the replay in order leaves.
    private struct Series {
        let snapshots: [Snapshot]
        let ordered: [Snapshot]
        let reference: Outcome

        init(_ paths: [String]) throws {
            snapshots = try paths.flatMap { path in
                try Truth.snapshots(ofSeries: path).map {
                    Snapshot(source: .file($0), feed: path, raw: try RawSnapshot(path: $0))
                }
            }
            ordered = snapshots.sorted { $0.raw.generated < $1.raw.generated }
            reference = try ShuffleTests.replay(ordered)
        }
    }

    private static let caribbean = Result { try Series(["series/caribbean-2025-jul-sep"]) }
    /// The week takes ten times as long as the other six together, and overlaps with them no more than the day does.
    private static let world = Result {
        try Series(RealSeriesTests.worldFeeds.filter { $0 != "all_week" }.map { "\(RealSeriesTests.world)/\($0)" })
    }

    @Test("300 snapshots of one feed, in many orders of arrival", arguments: Thoroughness.seeds(1, of: 100))
    func oneFeed(seeds: Range<Int>) throws {
        try check(Self.caribbean.get(), seeds)
    }

    @Test(
        "36 snapshots of six feeds that overlap, in many orders of arrival", arguments: Thoroughness.seeds(1, of: 100))
    func overlappingFeeds(seeds: Range<Int>) throws {
        try check(Self.world.get(), seeds)
    }

    private func check(_ series: Series, _ seeds: Range<Int>) throws {
        for seed in seeds {
            var generator = SplitMix64(state: UInt64(seed))
            let outcome = try Self.replay(series.snapshots.shuffled(using: &generator))
            for (id, quake) in outcome.cache {
                let listings = outcome.applied.compactMap { snapshot in
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
            try compare(outcome, with: series.reference, series.ordered, seed: seed)
        }
    }

    private struct Outcome {
        var applied: [Snapshot] = []
        var cache: [String: RawQuake] = [:]
    }

    /// Applies `snapshots` in this order and checks which of them are ignored.
    private static func replay(_ snapshots: [Snapshot]) throws -> Outcome {
        try withScratchDirectory { directory in
            let replay = try Replay(in: directory)
            var outcome = Outcome()
            var newest: [String: Int64] = [:]
            for snapshot in snapshots {
                let isOlder = newest[snapshot.feed, default: .min] > snapshot.raw.generated
                #expect((try replay.mirror.refresh(snapshot.source).outcome == .older) == isOlder)
                guard !isOlder else { continue }
                newest[snapshot.feed] = snapshot.raw.generated
                outcome.applied.append(snapshot)
            }
            try replay.context.enumerate { outcome.cache[$0.quake.id] = RawQuake($0.quake) }
            return outcome
        }
    }

    private func compare(_ outcome: Outcome, with reference: Outcome, _ ordered: [Snapshot], seed: Int) throws {
        for (id, expected) in reference.cache {
            let listings = ordered.filter { $0.raw.quakes[id] != nil }
            let stamps = listings.compactMap { $0.raw.quakes[id]?.updated }
            guard let newest = listings.last, stamps == stamps.sorted() else { continue }
            let wasApplied = outcome.applied.contains {
                $0.feed == newest.feed && $0.raw.generated == newest.raw.generated
            }
            guard wasApplied else { continue }
            let isNamedOnce = Dictionary(grouping: listings.compactMap { $0.raw.quakes[id] }, by: \.hypocenter)
                .values.allSatisfy { Set($0.map(\.place)).count == 1 }
            let differences = outcome.cache[id]?.differences(from: expected).subtracting(isNamedOnce ? [] : ["place"])
            #expect(differences == [], "seed \(seed): \(id) differs from the ordered replay")
        }
    }
}
