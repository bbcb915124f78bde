import Foundation
import QuakeTestSupport
import Synchronization
import Testing

@testable import QuakeStore

/// A count shared by several readers.
private final class Tally: Sendable {
    let running = Mutex(0)
    let most = Mutex(0)

    func begin() {
        let now = running.withLock { value in
            value += 1
            return value
        }
        most.withLock { $0 = max($0, now) }
    }

    func end() { running.withLock { $0 -= 1 } }
}

@Suite("Concurrent reads of a cache", .endsInTime, .scratch) final class ReaderCountTests: SuiteWithCache {
    /// Returns the number of this process's descriptors open on the file at `path`.
    private func descriptorCount(_ path: String) -> Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return names.count {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
        }
    }

    @Test("Two thousand concurrent reads succeed through at most five connections")
    func boundedConnections() async throws {
        try context.record(.sample("us1"))
        let cache = QuakeCache(path: scratch.path)
        let own = descriptorCount(scratch.path)
        let tally = Tally()
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<2000 {
                group.addTask {
                    try await cache.read { context in
                        tally.begin()
                        defer { tally.end() }
                        return try context.fetchCount()
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts.count == 2000 && counts.allSatisfy { $0 == 1 })
        #expect(tally.most.withLock { $0 } <= 5)
        #expect(descriptorCount(scratch.path) - own <= 5)
    }
}
