import QuakeTestSupport
import Synchronization
import Testing

import QuakeEditing
@testable import QuakeStore

/// A save inside an outer transaction, such as an edit block, takes effect only if the outer transaction commits.
@Suite("Saves inside an outer transaction", .scratch) final class OuterTransactionTests: SuiteWithCache {
    private struct Refusal: Error {}

    private final class Streams: Sendable {
        let saves = Mutex<AsyncStream<SavedChanges>?>(nil)
    }

    /// Saves one quake.
    private func insert(_ id: String, _ editor: QuakeEditor) throws {
        try editor.insert(.sample(id))
        try editor.save()
    }

    @Test("An edit block that throws after a save announces no save") func refusedBlock() async throws {
        let streams = Streams()
        await #expect(throws: Refusal.self) {
            try await scratch.store.edit { editor in
                streams.saves.withLock { $0 = editor.didSaveStream() }
                try editor.insert(.sample("us1"))
                try editor.save()
                throw Refusal()
            }
        }
        var announced = 0
        for await _ in try #require(streams.saves.withLock { $0 }) { announced += 1 }
        #expect(try announced == 0 && context.fetchCount() == 0)
    }

    @Test("Only the saves that an outer transaction kept are announced, in order") func keptSaves() async throws {
        var ids: [String] = []
        let stream = try announcements { editor in
            try insert("us1", editor)
            #expect(throws: Refusal.self) {
                try context.session.inTransaction(.writing) {
                    try insert("us2", editor)
                    throw Refusal()
                }
            }
            try insert("us3", editor)
        }
        for await saved in stream { ids += try saved.inserted.compactMap { try context.quake(key: $0)?.quake.id } }
        #expect(ids == ["us1", "us3"])
    }

    /// Runs `body` with an editor in a transaction, and returns the announcements of the editor's saves.
    private func announcements(_ body: (QuakeEditor) throws -> Void) throws -> AsyncStream<SavedChanges> {
        let editor = QuakeEditor(context)
        let stream = editor.didSaveStream()
        try context.session.inTransaction(.writing) { try body(editor) }
        return stream
    }

    @Test("After an outer transaction failed, its saves cannot be undone or redone") func undoStack() throws {
        try insert("us1", editor)
        #expect(throws: Refusal.self) {
            try context.session.inTransaction(.writing) {
                try insert("us2", editor)
                try insert("us3", editor)
                // Inside the transaction, its own saves can be undone.
                #expect(try editor.undo()?.counts.deleted == 1 && editor.canRedo)
                throw Refusal()
            }
        }
        #expect(try !editor.canRedo && context.fetch().map(\.quake.id) == ["us1"])
        #expect(try editor.undo()?.undoes == 1)
        #expect(try editor.undo() == nil && context.fetchCount() == 0)
    }

    @Test("A pinned context's pin follows a save when the outer transaction commits") func pin() throws {
        try context.pin(to: .current)
        #expect(throws: Refusal.self) {
            try context.session.inTransaction(.writing) {
                try insert("us1", editor)
                throw Refusal()
            }
        }
        #expect(try context.fetchCount() == 0)
        try context.session.inTransaction(.writing) { try insert("us1", editor) }
        #expect(try context.isPinned && context.fetchCount() == 1)
    }
}
