import QuakeEditing
import QuakeStore
import QuakeTestSupport
import Testing

/// A write inside a transaction is kept or dropped separately, and operations that number changes are refused there.
@Suite("Transactions within transactions", .scratch) final class NestedTransactionTests: SuiteWithCache {
    private static let nested = StoreError.contextState("a transaction inside another one of the same context")

    @Test("A dry run of a purge inside a transaction is rejected and deletes nothing") func dryRunOfPurge() throws {
        try context.record(.sample("us701"))
        #expect(throws: Self.nested) {
            try context.write { _ in _ = try context.maintenance.purge(QuakeFilter(), dryRun: true) }
        }
        try context.write { _ in _ = try? context.maintenance.purge(QuakeFilter(), dryRun: true) }
        #expect(try context.fetchCount() == 1)
    }

    @Test("A second write on a connection with an open write transaction is rejected") func secondWriter() throws {
        let entry = try context.write { writer in
            try writer.insert(.sample("us701"), reason: .new)
            #expect(throws: Self.nested) { try context.record(.sample("us702")) }
            try writer.insert(.sample("us703"), reason: .new)
        }.transaction
        #expect(entry?.counts.inserted == 2)
        #expect(try context.relevantChanges().map(\.change.id) == [1, 2])
        try context.record(.sample("us704"))
    }

    @Test("A dry run of a purge of history inside a transaction is rejected") func dryRunOfHistoryPurge() throws {
        try context.record(.sample("us701"))
        #expect(throws: Self.nested) {
            try context.write { _ in _ = try context.history.trim(through: 1, dryRun: true) }
        }
        #expect(try context.history.floor().number == 0)
    }

    @Test("A consumer's token saved inside a transaction is kept only if the transaction commits") func nestedWrite()
        throws
    {
        struct Failure: Error {}
        let head = try context.history.currentToken()
        #expect(throws: Failure.self) {
            try context.write { _ in
                try context.history.acknowledge(head, for: "alarm")
                throw Failure()
            }
        }
        #expect(try context.history.consumers().isEmpty)
        try context.write { _ in try context.history.acknowledge(head, for: "alarm") }
        #expect(try context.history.consumers().map(\.name) == ["alarm"])
    }

    @Test("A transaction with a failed write saves nothing, even if the error was caught") func caughtError() throws {
        try context.record(.sample("us701"))
        #expect(throws: StoreError.self) {
            try context.write { writer in
                try writer.insert(.sample("us702"), reason: .new)
                // The id belongs to another quake: the change is recorded, but the row is refused.
                _ = try? writer.insert(.sample("us701"), reason: .new)
            }
        }
        #expect(try context.fetch().map(\.quake.id) == ["us701"])
        #expect(try context.relevantChanges().count == 1)
    }

    @Test("A write inside a read snapshot of the cache is rejected") func writeInsideSnapshot() throws {
        try context.record(.sample("us700"))
        #expect(throws: StoreError.contextState("a write inside a snapshot")) {
            try context.snapshot { _ = try context.record(.sample("us701")) }
        }
        try editor.insert(.sample("us701"))
        #expect(throws: StoreError.self) { try context.snapshot { try editor.save() } }
        #expect(editor.hasChanges)
        #expect(try context.fetchCount() == 1)
    }

    @Test("A writer object used after its transaction has ended throws and writes nothing") func escapedWriter() throws
    {
        let (_, context) = try ScratchStore.ofTest()
        try context.record(.sample("us701"))
        let stored = try #require(try context.fetch().first)
        for dryRun in [false, true] {
            let writer = try context.write(dryRun: dryRun) { $0 }.result
            let calls: [() throws -> Void] = [
                { try writer.insert(.sample("us702"), reason: .new) },
                { try writer.update(stored, to: stored.quake, reason: .edited) },
                { try writer.update(stored, to: .sample("us701", magnitude: 1), reason: .edited) },
                { try writer.delete(stored, reason: .edited) },
                { _ = try writer.delete(where: QuakeFilter(), reason: .edited) },
            ]
            for call in calls { #expect(throws: StoreError.self, performing: call) }
        }
        #expect(try context.fetch() == [stored] && context.maintenance.verify().isSound)
    }

    @Test("A write canceled while it waits for another writer writes nothing") func canceledWrite() async throws {
        let (scratch, context) = try ScratchStore.ofTest()
        let cache = scratch.store
        let late = try context.write { _ in
            let late = Task { try await cache.edit { try $0.insert(.sample("us701")) } }
            late.cancel()
            return late
        }.result
        await #expect(throws: CancellationError.self) { try await late.value }
        #expect(try context.fetchCount() == 0)
    }

    @Test("A write blocked by the same process fails with \"another process or context is using it\"")
    func busyContext() throws {
        let (scratch, context) = try ScratchStore.ofTest()
        let impatient = QuakeCache(path: scratch.path, configuration: StoreConfiguration(busyTimeout: .zero))
        let other = try QuakeContext(impatient)
        try context.write { writer in
            try writer.insert(.sample("us701"), reason: .new)
            let error = #expect(throws: StoreError.self) {
                try other.history.acknowledge(try other.history.currentToken(), for: "x")
            }
            #expect(error?.errorDescription?.contains("another process or context is using it") == true)
        }
    }
}
