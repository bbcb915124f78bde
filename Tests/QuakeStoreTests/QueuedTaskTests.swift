import Dispatch
import QuakeTestSupport
import Testing

@testable import QuakeStore

/// A task that waits for its turn leaves the queue as soon as it is canceled.
@Suite("Canceling tasks that wait for the cache", .endsInTime, .scratch) final class QueuedTaskTests: SuiteWithCache {
    private enum Access: CaseIterable { case reading, writing }

    @Test("A canceled task that waits to read or write ends while another one still uses the cache")
    func canceledWhileWaiting() async throws {
        try context.record(.sample("us1"))
        var configuration = StoreConfiguration()
        configuration.maximumReaderCount = 1
        let cache = QuakeCache(path: scratch.path, configuration: configuration)
        for access in Access.allCases {
            @Sendable func use(_ body: @escaping @Sendable () -> Void) async throws {
                switch access {
                case .reading: try await cache.read { _ in body() }
                case .writing: try await cache.write { _ in body() }
                }
            }
            let gate = DispatchSemaphore(value: 0)
            let (began, begins) = AsyncStream.makeStream(of: Void.self)
            let first = Task {
                try await use {
                    begins.yield()
                    gate.wait()
                }
            }
            for await _ in began { break }
            let second = Task { try await use { Issue.record("A canceled task ran") } }
            let third = Task { try await use {} }
            let pool = access == .reading ? cache.readers : cache.writers
            while pool.waitingCount < 2 { await Task.yield() }
            second.cancel()
            await #expect(throws: CancellationError.self) { try await second.value }
            #expect(pool.waitingCount == 1)
            gate.signal()
            try await first.value
            try await third.value
        }
    }
}
