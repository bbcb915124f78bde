import Foundation
import QuakeTestSupport
import Synchronization
import Testing

@testable import QuakeStore

/// A count shared by several readers.
private final class Tally: Sendable {
    let running = Mutex(0)
    let most = Mutex(0)
    let isReading = Mutex(false)

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

    @Test("Canceling a read that waits for a connection lets the next waiting read run") func canceledRead()
        async throws
    {
        try context.record(.sample("us1"))
        var configuration = StoreConfiguration()
        configuration.maximumReaderCount = 1
        let cache = QuakeCache(path: scratch.path, configuration: configuration)
        let tally = Tally()
        let gate = DispatchSemaphore(value: 0)
        let first = Task {
            try await cache.read { context in
                tally.isReading.withLock { $0 = true }
                gate.wait()
                return try context.fetchCount()
            }
        }
        while !tally.isReading.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
        let second = Task { try await cache.read { try $0.fetchCount() } }
        let third = Task { try await cache.read { try $0.fetchCount() } }
        try await Task.sleep(for: .milliseconds(50))
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        gate.signal()
        #expect(try await first.value == 1)
        #expect(try await third.value == 1)
    }
}
