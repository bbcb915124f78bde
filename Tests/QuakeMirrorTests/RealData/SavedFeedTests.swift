import Foundation
import QuakeFeed
import QuakeModel
import QuakeStore
import QuakeTestSupport
import Testing

@testable import QuakeMirror

/// Programs that decode published feeds and save the quakes themselves.
@Suite(.needsRealData, .computing, .scratch) struct SavedFeedTests {
    private func quakes(_ path: String) throws -> [Quake] {
        let snapshot = try FeedSnapshot(FeedSource.file(path).contents() ?? .init(), source: path)
        var quakes: [Quake] = []
        FeatureDecoder(snapshot, indices: Array(snapshot.features.indices)).forEach { _, decoded in
            if case .success(let quake) = decoded { quakes.append(quake) }
        }
        return quakes
    }

    private func save(_ path: String, in context: QuakeContext) throws {
        let quakes = try quakes(path)
        for quake in quakes { try context.edits.insert(quake) }
        try context.edits.save()
        let wrong = try quakes.filter { quake in
            guard let stored = try context.quake(forID: quake.id) else { return true }
            return stored.quake.id != quake.id || !stored.quake.differences(from: quake).isEmpty
        }
        #expect(wrong.map(\.id) == [], "\(path)")
    }

    @Test func aWeekTheWeekTwoDaysLaterAndTheFirstAgainAreSaved() throws {
        let directory = try ScratchDirectory.ofTest()
        let context = try Replay(in: directory).context
        let mirrored = try Replay(in: directory, name: "mirrored.db")
        let paths = try ["2021-07-20T1423Z", "2021-07-22T2039Z", "2021-07-20T1423Z"].map {
            try RealData.url("feeds/all_week__\($0)__api1.10.3.geojson").path
        }
        for path in paths.prefix(2) {
            try save(path, in: context)
            _ = try mirrored.apply(path)
            #expect(
                try Set(context.fetch().map(\.quake.id)) == Set(mirrored.context.fetch().map(\.quake.id)),
                "a save and the mirror find the same quakes")
        }
        try save(paths[2], in: context)
    }

    @Test func aQuarterOfTheCaribbeanWithItsRenamesAndMergesIsSaved() throws {
        let directory = try ScratchDirectory.ofTest()
        let context = try Replay(in: directory).context
        for path in try RealData.caribbean { try save(path, in: context) }
        let reasons = try Set(
            context.history.transactions(after: 0).flatMap { transaction in
                var reasons: [ChangeReason] = []
                try context.history.forEachChange(ofTransaction: transaction.number) { reasons.append($0.reason) }
                return reasons
            })
        #expect(reasons.isSuperset(of: [.edited, .renamed]))
    }
}
