import Foundation
import QuakeTestSupport
import Testing

/// Three months of real snapshots, and the cache's state after each: all are checked under `make test-long`, every
/// thirtieth by default.
@Suite(.needsRealData, .scratch) struct CaribbeanReplayTests {
    private static let step = Thoroughness.isFull ? 1 : 30

    @Test func everyStateComesBackByteForByteAlsoAfterPurgeUndoAndHistoryPurge() async throws {
        let cache = try Cache.ofTest()
        func run(_ words: [String]) async throws {
            let result = try await cache.quakes.run(words)
            #expect(result.exitStatus == 0, "\(words): \(result.errorOutput)")
        }
        let snapshots = try RealData.caribbean
        var states: [(token: String, listing: Data)] = []
        for first in stride(from: 0, to: snapshots.count, by: Self.step) {
            try await run(["refresh", "-q"] + snapshots[first..<first + Self.step])
            let listing = try await cache.run("list", "--format", "ndjson").standardOutput
            states.append((try await cache.token(), listing))
        }
        #expect(states.count == 300 / Self.step)

        let floor = states[states.count / 2].token
        let kept = states.drop { $0.token != floor }.map(\.token)
        let cut = ["purge", "--history", "--before-token", floor]
        for words in [["verify"], ["purge", "--max-mag", "3"], ["undo"], cut] {
            try await run(words)
            for state in states {
                let list = try await cache.run("list", "--format", "ndjson", "--at", state.token)
                let isGone = words == cut && !kept.contains(state.token)
                #expect(list.exitStatus == (isGone ? 3 : 0), "\(words), \(state.token)")
                #expect(list.standardOutput == (isGone ? Data() : state.listing), "\(words), \(state.token)")
            }
        }
    }
}
