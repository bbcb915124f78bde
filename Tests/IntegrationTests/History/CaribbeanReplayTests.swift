import Foundation
import QuakeStore
import QuakeTestSupport
import Testing

/// Three months of real snapshots, and the cache's state after each: all are checked under `make test-long`, every
/// thirtieth by default.
@Suite(.needsRealData, .scratch) struct CaribbeanReplayTests {
    private static let step = Thoroughness.isFull ? 1 : 30

    /// A position in the history, and the output of `list --format ndjson` there.
    private struct Place {
        var token: String
        var number: TransactionNumber
        var listing: Data
    }

    @Test func everyStateComesBackByteForByteAlsoAfterPurgeUndoAndHistoryPurge() async throws {
        let directory = try ScratchDirectory.ofTest()
        let path = directory.path("quakes.db")
        let runner = ProcessRunner(environment: ["QUAKES_DB": path])
        let places = try await replay(runner, path)
        #expect(places.count == 300 / Self.step)
        try await expectEvery(places, runner, "after the replay")

        let purge = try await runner.run("purge", "--max-mag", "3")
        #expect(purge.exitStatus == 0, "\(purge.errorOutput)")
        try await expectEvery(places, runner, "after a purge of quakes")
        let undo = try await runner.run("undo")
        #expect(undo.exitStatus == 0, "\(undo.errorOutput)")
        try await expectEvery(places, runner, "after an undo")
        let restored = try await runner.run("list", "--format", "ndjson")
        #expect(restored.standardOutput == places.last?.listing)

        let floor = places[places.count / 2]
        let history = try await runner.run("purge", "--history", "--before-token", floor.token)
        #expect(history.exitStatus == 0, "\(history.errorOutput)")
        try await expectEvery(places.filter { $0.number >= floor.number }, runner, "above the floor")
        for place in places where place.number < floor.number {
            let gone = try await runner.run("list", "--at", place.token, "--format", "ndjson")
            #expect(gone.exitStatus == 3 && gone.standardOutput.isEmpty, "below the floor: \(place.number)")
        }
    }

    private func replay(_ runner: ProcessRunner, _ path: String) async throws -> [Place] {
        let store = QuakeCache(path: path)
        var places: [Place] = []
        let snapshots = try RealData.caribbean
        for first in stride(from: 0, to: snapshots.count, by: Self.step) {
            let refresh = try await runner.run(["refresh", "-q"] + snapshots[first..<first + Self.step])
            #expect(refresh.exitStatus == 0, "\(refresh.errorOutput)")
            let listing = try await runner.run("list", "--format", "ndjson")
            let head = try store.context(access: .reading).history.head()
            places.append(Place(token: head.description, number: head.number, listing: listing.standardOutput))
        }
        return places
    }

    private func expectEvery(_ places: [Place], _ runner: ProcessRunner, _ moment: Comment) async throws {
        let wrong = try await withThrowingTaskGroup(of: TransactionNumber?.self) { group in
            var wrong: [TransactionNumber] = []
            for (index, place) in places.enumerated() {
                if index >= 4, let number = try await group.next() ?? nil { wrong.append(number) }
                group.addTask {
                    let listing = try await runner.run("list", "--at", place.token, "--format", "ndjson")
                    return listing.exitStatus == 0 && listing.standardOutput == place.listing ? nil : place.number
                }
            }
            for try await number in group { if let number { wrong.append(number) } }
            return wrong
        }
        #expect(wrong.isEmpty, moment)
    }
}
