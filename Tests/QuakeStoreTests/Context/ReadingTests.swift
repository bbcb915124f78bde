import Foundation
import QuakeEditing
import QuakeStore
import QuakeTestSupport
import Testing

/// Reading is reading: a context for reading refuses every write in the same words.
@Suite("Contexts for reading", .scratch) final class ReadingTests: SuiteWithCache {
    /// Expects that everything that writes through `reader` throws the same error, and changes nothing.
    private static func expectRefusals(by reader: QuakeContext, in path: String) throws {
        let refusal = StoreError.readOnly(path: path)
        let quakes = try reader.fetch()
        let stored = try #require(quakes.first)
        let editor = QuakeEditor(reader)
        let head = try reader.history.currentToken()
        #expect(throws: refusal) { try reader.maintenance.compact() }
        #expect(throws: refusal) { try reader.maintenance.purge(QuakeFilter()) }
        #expect(throws: refusal) { try reader.undo(transaction: 1) }
        #expect(throws: refusal) { try reader.history.acknowledge(head, for: "alarm") }
        #expect(throws: refusal) { try reader.history.forgetConsumer(named: "alarm") }
        #expect(throws: refusal) { try reader.history.trim(through: 1) }
        #expect(throws: refusal) { try reader.history.trim(before: .token(head)) }
        #expect(throws: refusal) { try reader.history.trim(readByAll: .all) }
        #expect(throws: refusal) { try editor.insert(.sample("us2")) }
        #expect(throws: refusal) { try editor.update(stored, to: stored.quake.with { $0.magnitude = 9 }) }
        #expect(throws: refusal) { try editor.delete(stored) }
        #expect(throws: refusal) { try editor.delete(where: QuakeFilter()) }
        #expect(!editor.hasChanges)
        #expect(try reader.fetch() == quakes && reader.history.currentToken() == head)
    }

    @Test("A context for reading refuses every write with the same error")
    func refusesWrites() throws {
        try context.record(.sample("us1"))
        let reader = try QuakeContext(scratch.store, access: .reading)
        try Self.expectRefusals(by: reader, in: scratch.path)
        try reader.snapshot { try Self.expectRefusals(by: reader, in: scratch.path) }
        try reader.pin(to: .current)
        try Self.expectRefusals(by: reader, in: scratch.path)
    }

    @Test("The context of cache.read refuses every write with the same error") func refusesWritesInRead() async throws {
        try context.record(.sample("us1"))
        let path = scratch.path
        try await scratch.store.read { try Self.expectRefusals(by: $0, in: path) }
    }

    @Test("A compaction that a pinned context keeps from shrinking the file throws StoreError.busy")
    func compactionBesidePin() throws {
        let impatient = QuakeCache(path: scratch.path, configuration: StoreConfiguration(busyTimeout: .zero))
        let writer = try QuakeContext(impatient)
        try writer.edit { try $0.insert(contentsOf: (0..<300).map { .sample("us\($0)") }) }
        try writer.maintenance.compact()
        let reader = try QuakeContext(scratch.store, access: .reading)
        try reader.pin(to: .current)
        try writer.maintenance.purge(QuakeFilter())
        try writer.history.trim(through: writer.history.currentToken().number)
        func size() throws -> Int {
            try FileManager.default.attributesOfItem(atPath: scratch.path)[.size] as? Int ?? 0
        }
        let full = try size()
        #expect(throws: StoreError.busy(path: scratch.path)) { try writer.maintenance.compact() }
        #expect(try size() >= full)
        try reader.unpin()
        try writer.maintenance.compact()
        #expect(try size() < full)
    }
}
