import QuakeEditing
import QuakeStore
import QuakeTestSupport
import Synchronization
import Testing

// Proves feature E1 of seeds.md.
@Suite("onWillSave and saves on release", .scratch) final class WillSaveTests: SuiteWithCache {
    @Test("A change made by the onWillSave handler is part of the same save") func changeInOnWillSave() throws {
        editor.autosave = Autosave(afterOperations: 1)
        var calls = 0
        editor.onWillSave = { editor in
            calls += 1
            #expect(editor.pendingChanges == [.insert(.sample("usa"))])
            #expect(throws: StoreError.self) { try editor.save() }
            #expect(throws: Never.self) {
                try editor.insert(.sample("usb"))
                #expect(try editor.fetchCount() == 2 && editor.context.fetchCount() == 0)
            }
        }
        try editor.insert(.sample("usa"))
        #expect(calls == 1 && !editor.hasChanges)
        #expect(try Set(context.fetch().map(\.quake.id)) == ["usa", "usb"])
        #expect(try context.history.currentToken().number == TransactionNumber(1))
    }

    @Test("A rollback by the onWillSave handler cancels the save") func rollbackInOnWillSave() throws {
        editor.onWillSave = { $0.rollback() }
        try editor.insert(.sample("usa"))
        #expect(try editor.save() == nil)
        #expect(try context.fetchCount() == 0 && !editor.hasChanges)
    }

    @Test("If the save fails, the changes made by the onWillSave handler are discarded, and it can make them again")
    func changeBeforeFailedSave() throws {
        try context.save(.sample("usa", magnitude: 4))
        let stored = try #require(try context.quake(id: "usa"))
        try context.revise(stored.key) { $0.magnitude = 8 }
        editor.conflictPolicy = .fail
        var isBlind = true
        editor.onWillSave = { editor in
            #expect(throws: Never.self) {
                try editor.insert(.sample(isBlind ? "usb" : "usc"))
                if isBlind { try editor.update(stored) { $0.magnitude = 9 } }
            }
        }
        try editor.insert(.sample("usd"))
        #expect(throws: StoreError.conflict(quakes: ["usa": [.mag]])) { try editor.save() }
        #expect(editor.pendingChanges == [.insert(.sample("usd"))])
        isBlind = false
        try editor.save()
        #expect(try Set(context.fetch().map(\.quake.id)) == ["usa", "usc", "usd"])
    }

    @Test("An edit block that throws saves nothing on release, and no handler keeps its editor") func failedEdit()
        async throws
    {
        struct Refusal: Error {}
        let errors = Mutex(0)
        let kept = Mutex<Weak?>(nil)
        await #expect(throws: Refusal.self) {
            try await scratch.store.edit { editor in
                kept.withLock { $0 = Weak(editor) }
                editor.autosave = Autosave { _ in
                    errors.withLock { $0 += 1 }
                    editor.rollback()
                }
                try editor.insert(.sample("usa"))
                throw Refusal()
            }
        }
        #expect(kept.withLock { $0?.editor == nil } && errors.withLock { $0 } == 0)
        #expect(try context.fetchCount() == 0)
    }

    private struct Weak: @unchecked Sendable {
        weak var editor: QuakeEditor?
        init(_ editor: QuakeEditor) { self.editor = editor }
    }

    @Test("A number of operations below 1 at which to save is rejected with each change", arguments: [0, -3])
    func numberOutOfRange(number: Int) throws {
        editor.autosave = Autosave(afterOperations: number)
        #expect(throws: StoreError.outOfRange("afterOperations", value: "\(number)")) {
            try editor.insert(.sample("usa"))
        }
        #expect(!editor.hasChanges)
    }

    @Test("onWillSave is not called for a save that fails, an undo, a redo or a purge") func notCalled() throws {
        try context.save(.sample("usa"), .sample("usb"))
        let stored = try #require(try context.quake(id: "usb"))
        editor.onWillSave = { _ in Issue.record("not called") }
        try context.maintenance.purge(QuakeFilter())
        try editor.undo()
        try editor.redo()
        try editor.update(stored) { $0.magnitude = 9 }
        #expect(throws: StoreError.gone(id: "usb", key: stored.key)) { try editor.save() }
    }

    /// An editor that edits its own changes before each save, and is released with a pending insertion.
    private func release(onWillSave: @escaping (QuakeEditor) -> Void, _ onRelease: ((any Error) -> Void)?) throws {
        let passing = QuakeEditor(try QuakeContext(scratch.store, author: "passing"))
        passing.autosave = Autosave(onRelease: onRelease)
        passing.onWillSave = onWillSave
        try passing.insert(.sample("usa", magnitude: 1))
    }

    @Test("An editor with an onWillSave handler saves on release, and its handler can edit and even keep the editor")
    func saveOnRelease() throws {
        var kept: [QuakeEditor] = []
        func stamp(_ editor: QuakeEditor) {
            kept.append(editor)
            #expect(throws: Never.self) {
                for stored in try editor.insertedQuakes { try editor.update(stored) { $0.place = "stamped" } }
            }
        }
        try release(onWillSave: stamp) { Issue.record($0) }
        #expect(try context.fetch().map(\.quake.place) == ["stamped"])
        #expect(try kept.count == 1 && kept[0].fetchCount() == 1)
        try release(onWillSave: stamp, nil)
        #expect(kept.count == 1, "without a handler for errors, there is no save on release")
    }

    @Test("The handler for a failed save on release receives its error") func failedSaveOnRelease() throws {
        try context.save(.sample("usa"))
        var errors: [StoreError?] = []
        func fail() throws {
            let passing = QuakeEditor(try QuakeContext(scratch.store, author: "passing"))
            passing.conflictPolicy = .fail
            passing.autosave = Autosave { errors.append($0 as? StoreError) }
            try passing.update(#require(try context.quake(id: "usa"))) { $0.magnitude = 9 }
            try context.revise(1) { $0.magnitude = 8 }
        }
        try fail()
        #expect(errors == [.conflict(quakes: ["usa": [.mag]])])
        #expect(try context.fetch().map(\.quake.magnitude) == [8])
    }
}
