import Foundation
import QuakeModel
import QuakeStore
import QuakeTestSupport
import Synchronization
import Testing

/// A pinned reader in one process while another one works on the same file.
@Suite(.needsRealData, .scratch) struct PinnedReaderTests {
    @Test func everyAnswerIsTheSameWhileAnotherProcessRefreshesAndPurges() async throws {
        let directory = try ScratchDirectory.ofTest()
        let path = directory.path("quakes.db")
        let runner = ProcessRunner(environment: ["QUAKES_DB": path])
        let snapshots = try RealData.caribbean
        try await expectSuccess(runner, ["refresh", "-q"] + snapshots[..<40])
        let older = try QuakeCache(path: path).context(access: .reading).history.head()
        try await expectSuccess(runner, ["refresh", "-q"] + snapshots[40..<50])

        let isDone = Flag()
        async let answers = onOwnThread { try PinnedReaderTests.read(path, older: older, until: isDone) }
        for first in stride(from: 50, to: 300, by: 5) {
            try await expectSuccess(runner, ["refresh", "-q"] + snapshots[first..<(first + 5)])
            if first == 150 {
                try await expectSuccess(runner, ["purge", "-q", "--max-mag", "2.5"])
                try await expectSuccess(runner, ["purge", "-q", "--history", "--all"])
            }
        }
        try await expectSuccess(runner, ["purge", "-q", "--max-mag", "3"])
        isDone.raise()
        let (rounds, different, advanced) = try await answers
        #expect(rounds > 10)
        #expect(different == 0)
        #expect(advanced)
    }

    private func expectSuccess(_ runner: ProcessRunner, _ arguments: [String]) async throws {
        let result = try await runner.run(arguments)
        #expect(result.exitStatus == 0, "\(arguments.first ?? ""): \(result.errorOutput)")
    }

    /// Counts and lists in two pinned contexts, the state of now and an older one, until the writer is done.
    private static func read(
        _ path: String, older: HistoryToken, until isDone: Flag
    ) throws -> (rounds: Int, different: Int, advanced: Bool) {
        let store = QuakeCache(path: path)
        let contexts = [try store.context(access: .reading), try store.context(access: .reading)]
        try contexts[0].pin(to: .current)
        try contexts[1].pin(to: .token(older))
        let expected = try contexts.map { try ($0.fetchCount(), $0.fetch(), $0.history.head()) }
        var (rounds, different) = (0, 0)
        repeat {
            for (context, answer) in zip(contexts, expected) {
                let now = try (context.fetchCount(), context.fetch(), context.history.head())
                if now != answer { different += 1 }
            }
            rounds += 1
        } while !isDone.isRaised || rounds <= 10
        let present = try store.context(access: .reading)
        var advanced = true
        for context in contexts {
            try context.advance()
            advanced =
                try advanced && context.fetch() == present.fetch() && context.history.head() == present.history.head()
        }
        return (rounds, different, advanced)
    }
}

private final class Flag: Sendable {
    private let value = Mutex(false)

    var isRaised: Bool { value.withLock { $0 } }

    func raise() { value.withLock { $0 = true } }
}
