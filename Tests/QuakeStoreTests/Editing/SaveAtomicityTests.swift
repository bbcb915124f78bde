import QuakeEditing
import QuakeStore
import QuakeTestSupport
import Testing

// Proves feature E4 of seeds.md.
@Suite("Atomic saves", .scratch) final class SaveAtomicityTests: SuiteWithCache {
    private struct Refusal: Error {}
    private static let nested = StoreError.contextState("a transaction inside another one of the same context")

    @Test("Autosave inside a transaction block waits until the block ends") func autosaveInTransaction() throws {
        editor.autosave = Autosave(afterOperations: 2)
        #expect(throws: Refusal.self) {
            try editor.transaction {
                for id in 0..<5 { try editor.insert(.sample("us\(id)")) }
                throw Refusal()
            }
        }
        #expect(try !editor.hasChanges && context.fetchCount() == 0)
        try editor.transaction { for id in 0..<5 { try editor.insert(.sample("us\(id)")) } }
        #expect(try context.history.transactions(after: 0).count == 1)
    }

    @Test("After a transaction block fails, undo and redo are as before", arguments: [true, false])
    func undoAfterFailure(isRolledBack: Bool) throws {
        for id in ["us1", "us2"] { try context.save(.sample(id)) }
        try editor.undo()
        #expect(throws: Refusal.self) {
            try editor.transaction {
                try editor.insert(.sample("us3"))
                if isRolledBack { editor.rollback() }
                throw Refusal()
            }
        }
        #expect(editor.canUndo && editor.canRedo)
        try editor.redo()
        #expect(try context.fetchCount() == 2)
    }

    @Test("A save, a write or another transaction inside a transaction block throws an error")
    func saveInsideTransaction() throws {
        let writes: [(QuakeContext) throws -> Void] = [
            { _ in try self.editor.save() }, { try $0.record(.sample("us1")) }, { _ in try self.editor.transaction {} },
        ]
        for write in writes {
            #expect(throws: Self.nested) {
                try editor.transaction {
                    try editor.insert(.sample("us1"))
                    try write(context)
                }
            }
        }
        #expect(try !editor.hasChanges && context.fetchCount() == 0)
    }

    @Test("A didSaveStream created in an edit block reports that block's save, then ends") func streamEndsWithWrite()
        async throws
    {
        func insert(_ id: String) async throws -> AsyncStream<SavedChanges> {
            try await scratch.store.edit { editor in
                try editor.insert(.sample(id))
                return editor.didSaveStream()
            }
        }
        let first = try await insert("us701")
        _ = try await insert("us702")
        var counts: [Int] = []
        for await saved in first { counts.append(saved.inserted.count) }
        #expect(counts == [1])
    }

    @Test("After a rollback of unsaved changes, undo and redo do nothing") func rollbackEmptiesUndo() throws {
        try context.save(.sample("us1"))
        try editor.insert(.sample("us2"))
        editor.rollback()
        #expect(try editor.undo() == nil)
        #expect(try context.fetch().map(\.quake.id) == ["us1"])
        #expect(try editor.redo() == nil)
    }

    // Proves feature E3 of seeds.md.
    @Test("An editor's arrays of inserted, changed and deleted quakes show what a save will do") func arraysMatchSave()
        throws
    {
        for id in ["us1", "us2", "us3"] { try context.record(.sample(id, magnitude: 3)) }
        let stored = try #require(try context.quake(key: 2))
        try editor.insert(.sample("us1", magnitude: 5))
        try editor.update(stored, to: stored.quake.with { $0.magnitude = 5 })
        try editor.update(stored, to: stored.quake.with { $0.place = "there" })
        try editor.insert(.sample("us3", magnitude: 3))
        try editor.insert(.sample("us4"))
        try editor.insert(.sample("us5"))
        try editor.insert(.sample("us5", magnitude: 1))
        #expect(try editor.insertedQuakes.map(\.quake.id) == ["us4", "us5"])
        #expect(try editor.changedQuakes.map(\.key) == [1, 2])
        #expect(try editor.changedQuakes.last?.quake.place == "there")
        #expect(try editor.changedQuakes.last?.quake.magnitude == 5)
        try editor.delete(where: QuakeFilter(maximumMagnitude: 4))
        #expect(try editor.deletedQuakes.map(\.key) == [3])
        #expect(try editor.insertedQuakes.map(\.quake.id) == ["us4"])
        #expect(try editor.save()?.counts == HistoryTransaction.Counts(inserted: 1, updated: 2, deleted: 1))
        #expect(try context.fetch().map(\.key) == [1, 2, 4])
    }
}
