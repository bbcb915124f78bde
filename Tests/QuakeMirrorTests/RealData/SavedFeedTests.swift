import Foundation
@testable import QuakeMirror
import QuakeTestSupport
import Testing

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

    @Test func feedsWithRenamesAndMergesAreSaved() throws {
        let weeks = try ["2021-07-20T1423Z", "2021-07-22T2039Z", "2021-07-20T1423Z"].map {
            try RealData.url("feeds/all_week__\($0)__api1.10.3.geojson").path
        }
        for (name, paths) in [("weeks.db", weeks), ("caribbean.db", try RealData.caribbean)] {
            let context = try Replay(in: try ScratchDirectory.ofTest(), name: name).context
            for path in paths { try save(path, in: context) }
        }
    }
}
