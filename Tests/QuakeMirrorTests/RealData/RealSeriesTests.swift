import Foundation
import QuakeTestSupport
import Testing

@testable import QuakeMirror

@Suite("Replaying published series", .computing, .needsRealData, .scratch) struct RealSeriesTests {
    static let caribbean = "series/caribbean-2025-jul-sep"
    private static let flapping = "series/caribbean-2025-jul-flapping"
    static let world = "series/world-2025-05-04"
    static let worldFeeds = [
        "all_hour", "all_day", "all_week", "significant_hour", "significant_day", "significant_week",
        "significant_month",
    ]

    private let replay: Replay

    init() throws { replay = try Replay(in: .ofTest()) }

    /// Replays the series at `path` and compares every step with the documents.
    private func check(_ path: String) throws -> SeriesChecker {
        var checker = SeriesChecker()
        for snapshot in try RealData.snapshots(ofSeries: path) { try checker.check(snapshot, replay) }
        try checker.checkCache(replay)
        return checker
    }

    // Proves rule 5 of mirroring.md.
    @Test("After 300 Caribbean snapshots are applied, the history matches them, including renames") func caribbean()
        throws
    {
        let checker = try check(Self.caribbean)
        #expect(checker.agreed == ["new": 158, "revised": 78, "renamed": 7])

        let key = try #require(try replay.context.key(ofID: "pt25217001"))
        #expect(try replay.context.key(ofID: "us6000qy7q") == key)
        #expect(try replay.context.key(ofID: "PR2025217000") == key)
        let renames = try replay.context.history.changes(ofKey: key).filter { $0.reason == .renamed }
        #expect(renames.map { $0.after?.id } == ["us6000qy7q", "pr2025217000"])
        #expect(try replay.context.quake(key: key)?.quake.id == "pr2025217000")
    }

    @Test("If only the place name differs in a later all_week snapshot, the change is unconfirmed") func placeNames()
        throws
    {
        func path(_ moment: String) throws -> String {
            try RealData.url("feeds/all_week__\(moment)__api1.10.3.geojson").path
        }
        _ = try replay.apply(try path("2021-07-20T1423Z"))
        let step = try replay.apply(try path("2021-07-22T2039Z"))
        #expect(step.report.inserted.values.reduce(0, +) == 1340)
        #expect(step.report.updated == [.revised: 167, .renamed: 3])
        #expect(step.report.unconfirmed == 37 && step.report.deleted.isEmpty)
        #expect(try replay.context.sources.unconfirmedChanges().count { $0.kind == .place } == 37)
    }

    @Test(
        "After all snapshots of one world feed are applied, the history matches them",
        arguments: Thoroughness.sample(3, of: RealSeriesTests.worldFeeds))
    func completeWorldFeeds(feed: String) throws {
        _ = try check("\(Self.world)/\(feed)")
    }

    @Test("After snapshots of seven world feeds are applied by date, the history matches them") func interleavedFeeds()
        throws
    {
        let snapshots = try Self.worldFeeds.flatMap { try RealData.snapshots(ofSeries: "\(Self.world)/\($0)") }
        let dated = try snapshots.map { (path: $0, generated: try RawSnapshot(path: $0).generated) }
        var checker = SeriesChecker()
        for snapshot in dated.sorted(by: { ($0.generated, $0.path) < ($1.generated, $1.path) }) {
            try checker.check(snapshot.path, replay)
        }
        try checker.checkCache(replay)
    }

    @Test("By default, a quake that disappears from a feed and returns 19 times is never deleted") func flappingQuake()
        throws
    {
        _ = try check(Self.flapping)
        #expect(try !replay.changes(after: 0).contains { $0.kind == .delete || $0.reason == .restored })
    }

    // Proves rule 8 of mirroring.md.
    @Test("If no confirmation is required, a quake absent 19 times is deleted and restored 19 times")
    func flappingQuakeAcceptedAtOnce() throws {
        let replay = try Replay(in: .ofTest(), settings: MirrorSettings(confirmSnapshots: 1, confirmAfter: .zero))
        for snapshot in try RealData.snapshots(ofSeries: Self.flapping) { _ = try replay.apply(snapshot) }
        let changes = try replay.changes(after: 0)
        let deletions = changes.filter { $0.kind == .delete }
        let restores = changes.filter { $0.reason == .restored }
        #expect(deletions.count == 19 && deletions.allSatisfy { $0.reason == .retracted })
        #expect(restores.count == 19)
        let key = try #require(try replay.context.key(ofID: "pr71488543"))
        #expect(Set((deletions + restores).map(\.quakeKey)) == [key])
    }
}
