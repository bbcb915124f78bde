import QuakeStore
import QuakeTestSupport
import Testing

@Suite("A save is all or nothing", .scratch) final class SaveAtomicityTests: SuiteWithCache {
    private struct Refusal: Error {}
    private static let nested = StoreError.contextState("a transaction inside another one of the same context")

    @Test func autosaveWaitsForTheEndOfATransaction() throws {
        context.edits.autosave = Autosave(afterOperations: 2)
        #expect(throws: Refusal.self) {
            try context.edits.transaction {
                for id in 0..<5 { try context.edits.insert(.sample("us\(id)")) }
                throw Refusal()
            }
        }
        #expect(try !context.edits.hasChanges && context.fetchCount() == 0)
        try context.edits.transaction { for id in 0..<5 { try context.edits.insert(.sample("us\(id)")) } }
        #expect(try context.history.transactions(after: 0).count == 1)
    }

    @Test func nothingIsSavedInsideATransactionByItself() throws {
        let writes: [(QuakeContext) throws -> Void] = [
            { try $0.edits.save() }, { try $0.record(.sample("us1")) }, { try $0.edits.transaction {} },
        ]
        for write in writes {
            #expect(throws: Self.nested) {
                try context.edits.transaction {
                    try context.edits.insert(.sample("us1"))
                    try write(context)
                }
            }
        }
        #expect(try !context.edits.hasChanges && context.fetchCount() == 0)
    }

    @Test func aStreamEndsWithTheWriteThatMadeIt() async throws {
        func insert(_ id: String) async throws -> AsyncStream<SavedChanges> {
            try await scratch.store.write { context in
                try context.edits.insert(.sample(id))
                return context.edits.didSaveStream()
            }
        }
        let first = try await insert("us701")
        _ = try await insert("us702")
        var counts: [Int] = []
        for await saved in first { counts.append(saved.inserted.count) }
        #expect(counts == [1])
    }

    @Test func rollbackEmptiesTheUndoStack() throws {
        try context.save(.sample("us1"))
        try context.edits.insert(.sample("us2"))
        context.edits.rollback()
        #expect(try context.edits.undo() == nil)
        #expect(try context.fetch().map(\.quake.id) == ["us1"])
        #expect(try context.edits.redo() == nil)
    }

    @Test func theArraysSayWhatASaveWouldDo() throws {
        for id in ["us1", "us2", "us3"] { try context.record(.sample(id, magnitude: 3)) }
        let stored = try #require(try context.quake(forKey: 2))
        try context.edits.insert(.sample("us1", magnitude: 5))
        try context.edits.update(stored, to: stored.quake.with { $0.magnitude = 5 })
        try context.edits.update(stored, to: stored.quake.with { $0.place = "there" })
        try context.edits.insert(.sample("us3", magnitude: 3))
        try context.edits.insert(.sample("us4"))
        try context.edits.insert(.sample("us5"))
        try context.edits.insert(.sample("us5", magnitude: 1))
        #expect(try context.edits.insertedQuakes.map(\.quake.id) == ["us4", "us5"])
        #expect(try context.edits.changedQuakes.map(\.key) == [1, 2])
        #expect(try context.edits.changedQuakes.last?.quake.place == "there")
        #expect(try context.edits.changedQuakes.last?.quake.magnitude == 5)
        try context.edits.delete(where: QuakeFilter(maximumMagnitude: 4))
        #expect(try context.edits.deletedQuakes.map(\.key) == [3])
        #expect(try context.edits.insertedQuakes.map(\.quake.id) == ["us4"])
        // The history contains every step: us2 is updated twice; us5 is inserted, updated and deleted.
        #expect(try context.edits.save()?.counts == HistoryTransaction.Counts(inserted: 2, updated: 4, deleted: 2))
        #expect(try context.fetch().map(\.key) == [1, 2, 4])
    }
}
