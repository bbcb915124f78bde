import Foundation
@testable import QuakeMirror
import QuakeTestSupport
import Testing

/// The second clock: compares the past by publication time with replays in the order of publication.
@Suite("States at a publication time, with published series", .computing, .needsRealData, .scratch)
struct PublishedReplayTests {
    private struct Snapshot {
        var path: String
        var raw: RawSnapshot
    }

    /// The quakes that a replay listed after each publication time.
    private typealias Listings = [Int64: [StoredQuake]]

    private static let worldFeeds = RealSeriesTests.worldFeeds.filter { $0 != "all_week" }

    private func snapshots(_ series: [String]) throws -> [Snapshot] {
        try series.flatMap { try RealData.snapshots(ofSeries: $0) }
            .map { Snapshot(path: $0, raw: try RawSnapshot(path: $0)) }
    }

    /// Applies `snapshots` in the order of publication and returns the listing after each publication time. If several
    /// have the same time, the last counts.
    private func listings(_ snapshots: [Snapshot], _ replay: Replay) throws -> Listings {
        var listings: Listings = [:]
        for snapshot in snapshots.sorted(by: { ($0.raw.generated, $0.path) < ($1.raw.generated, $1.path) }) {
            _ = try replay.mirror.refresh(.file(snapshot.path))
            listings[snapshot.raw.generated] = try replay.context.fetch()
        }
        return listings
    }

    private func listing(_ replay: Replay, published generated: Int64) throws -> [StoredQuake] {
        try replay.context.pin(to: .published(Timestamp(milliseconds: generated)))
        let quakes = try replay.context.fetch()
        #expect(try replay.context.fetchCount() == quakes.count)
        try replay.context.unpin()
        return quakes
    }

    /// The same; empty if the history contains no document published by then.
    private func listingOrNone(_ replay: Replay, published generated: Int64) throws -> [StoredQuake] {
        do {
            return try listing(replay, published: generated)
        } catch StoreError.beforeFirstSnapshot {
            return []
        }
    }

    @Test(
        "With snapshots applied in order, published:T shows what the cache listed after snapshot T",
        arguments: [
            (["series/caribbean-2025-jul-sep"], 300), (worldFeeds.map { "\(RealSeriesTests.world)/\($0)" }, 36),
        ])
    func orderedReplay(series: [String], points: Int) throws {
        let replay = try Replay(in: .ofTest())
        let snapshots = try snapshots(series)
        let listings = try listings(snapshots, replay)
        #expect(snapshots.count == points)
        for snapshot in Thoroughness.sample(30, of: snapshots) {
            let moment = snapshot.raw.generated
            #expect(try listing(replay, published: moment) == listings[moment], "\(snapshot.path)")
        }
    }

    @Test(
        "Applying one feed after all others changes published:T for at most 2% of quakes",
        arguments: Thoroughness.sample(1, of: worldFeeds))
    func lateFeed(feed: String) throws {
        let late = try snapshots(["\(RealSeriesTests.world)/\(feed)"])
        let early = try snapshots(Self.worldFeeds.filter { $0 != feed }.map { "\(RealSeriesTests.world)/\($0)" })
        let directory = try ScratchDirectory.ofTest()
        let ordered = try listings(early + late, Replay(in: directory, name: "ordered.db"))
        let replay = try Replay(in: directory)
        _ = try listings(early, replay)
        _ = try listings(late, replay)
        let learned = (early + late).enumerated().map { (order: $0.offset < early.count ? 0 : 1, $0.element) }
        var (covered, all) = (0, 0)
        for (moment, expected) in ordered {
            let then = try listingOrNone(replay, published: moment)
            let found = Dictionary(then.map { ($0.quake.id, $0.quake) }, uniquingKeysWith: { first, _ in first })
            #expect(found.count == then.count)
            for quake in expected.map(\.quake) {
                all += 1
                guard Self.isCovered(quake.id, at: moment, learned) else { continue }
                covered += 1
                #expect(found[quake.id] == quake, "\(quake.id) at \(moment)")
            }
        }
        #expect(covered * 100 >= all * 98, "\(covered) of \(all) are covered")
    }

    @Test(
        "If snapshots are applied in random order, published:T shows no values published after T",
        arguments: Thoroughness.seeds(1, of: 50))
    func shuffledReplay(seeds: Range<Int>) throws {
        let snapshots = try snapshots(Self.worldFeeds.map { "\(RealSeriesTests.world)/\($0)" })
        for seed in seeds {
            try withScratchDirectory { directory in
                var generator = SplitMix64(state: UInt64(seed))
                let replay = try Replay(in: directory)
                for snapshot in snapshots.shuffled(using: &generator) {
                    _ = try replay.mirror.refresh(.file(snapshot.path))
                }
                var newest: [QuakeKey: Timestamp] = [:]
                try replay.context.history.fetch { event in
                    guard case .change(let relevant) = event else { return }
                    let published = try #require(relevant.transaction.provenance?.generated)
                    let key = relevant.change.quakeKey
                    #expect(newest[key].map { $0 <= published } ?? true, "seed \(seed): quake \(key)")
                    newest[key] = published
                }
                for moment in Set(snapshots.map(\.raw.generated)) {
                    let past = snapshots.filter { $0.raw.generated <= moment }
                    for quake in try listingOrNone(replay, published: moment).map(\.quake) {
                        let values = RawQuake(quake)
                        let isSaid = past.contains { $0.raw.quakes[quake.id]?.isButForItsName(values) == true }
                        #expect(isSaid, "seed \(seed): \(quake.id) at \(moment)")
                    }
                }
            }
        }
    }

    /// Whether the promise in Documentation/history.md covers the quake: the newest snapshot published by then that
    /// lists it was read before every later one that lists it, and no snapshot has unconfirmed changes about it.
    private static func isCovered(
        _ id: String, at moment: Int64, _ learned: [(order: Int, snapshot: Snapshot)]
    ) -> Bool {
        let listings = learned.filter { $0.snapshot.raw.quakes[id] != nil }
            .sorted { $0.snapshot.raw.generated < $1.snapshot.raw.generated }
        let quakes = listings.compactMap { $0.snapshot.raw.quakes[id] }
        guard quakes.map(\.updated) == quakes.map(\.updated).sorted(),
            Dictionary(grouping: quakes, by: \.hypocenter).values.allSatisfy({ Set($0.map(\.place)).count == 1 }),
            let newest = listings.last(where: { $0.snapshot.raw.generated <= moment })
        else { return false }
        return listings.allSatisfy { $0.snapshot.raw.generated <= moment || $0.order >= newest.order }
    }
}
