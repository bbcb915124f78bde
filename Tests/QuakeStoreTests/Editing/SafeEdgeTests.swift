import QuakeEditing
import QuakeStore
import QuakeTestSupport
import Testing

/// Mistakes that a program may make and problems that it may meet: nothing is lost, and the program is notified.
@Suite("Edge cases of contexts and editors", .endsInTime, .scratch) final class SafeEdgeTests: SuiteWithCache {
    @Test("A context pinned to a state leaves it when it saves quakes, but not when it saves a token")
    func bookkeepingKeepsPin() throws {
        try context.save(.sample("usa"))
        try context.pin(to: .current)
        #expect(try context.fetchCount() == 1)
        let other = try QuakeContext(scratch.store, author: "org.example.other")
        try other.save(.sample("usb"))

        let token = try context.history.currentToken()
        try context.history.acknowledge(token, for: "org.example.reader")
        #expect(try context.history.consumer(named: "org.example.reader")?.token == token)
        try context.history.forgetConsumer(named: "org.example.reader")
        #expect(try context.history.consumers().isEmpty)
        _ = try context.forgetFeed(named: "all_day")
        try context.history.trim(before: .beginning)
        #expect(try context.save(.sample("usa")) == nil)
        try context.history.trim(before: .token(try other.history.currentToken()))
        #expect(try context.fetchCount() == 1 && context.history.currentToken() == token)

        try context.save(.sample("usc"))
        #expect(try context.fetchCount() == 3)
    }

    @Test("An editor's refreshed lists include its unsaved changes") func refreshedLists() throws {
        try context.save(.sample("usa", magnitude: 1), .sample("usb", magnitude: 1))
        let first = try #require(try context.quake(id: "usa"))
        try editor.update(first, to: first.quake.with { $0.magnitude = 5 })
        try editor.insert(.sample("usnew", magnitude: 7))
        try editor.delete(try #require(try context.quake(id: "usb")))

        let descriptor = QuakeDescriptor(sortBy: .magnitude)
        var list = try editor.fetch(descriptor)
        #expect(list.map(\.quake.magnitude) == [7, 5])
        try editor.refresh(&list)
        #expect(list.map(\.quake.magnitude) == [7, 5])
        #expect(try editor.refresh(first)?.quake.magnitude == 5 && context.refresh(first) == first)
    }

    @Test("An unsaved quake's temporary key finds nothing in another editor") func keysOfTwoEditors() throws {
        let other = QuakeEditor(context)
        try editor.insert(.sample("usnew", magnitude: 7))
        try other.insert(.sample("usother", magnitude: 6))
        let mine = try #require(try editor.insertedQuakes.first)
        let theirs = try #require(try other.insertedQuakes.first)
        #expect(mine.key != theirs.key)
        #expect(try editor.quake(key: theirs.key) == nil)
        #expect(try other.quake(key: mine.key) == nil)
    }

    @Test("An in-memory cache stays open as long as its history object is in use") func historyKeepsCache() throws {
        let history = try QuakeContext(QuakeCache.inMemory()).history
        #expect(try history.currentToken().number == .zero)
    }

    // Proves feature E2 of seeds.md.
    @Test("A temporary key finds its quake both before and after the quake is saved") func temporaryKeys() throws {
        try editor.insert(.sample("usnew", magnitude: 7))
        let temporary = try #require(try editor.insertedQuakes.first)
        #expect(temporary.isTemporary)
        #expect(try editor.quake(key: temporary.key) == temporary)
        try editor.save()
        let saved = try #require(try context.quake(id: "usnew"))
        #expect(try !saved.isTemporary && editor.quake(key: temporary.key) == saved)
        var list = [temporary]
        try editor.refresh(&list)
        #expect(list == [saved])
        // A quake fetched before the save can still be changed.
        try editor.update(temporary, to: temporary.quake.with { $0.magnitude = 8 })
        try editor.save()
        #expect(try context.fetch().map(\.quake.magnitude) == [8])
        try editor.delete(temporary)
        try editor.save()
        #expect(try context.fetchCount() == 0)

        try editor.insert(.sample("usdropped"))
        let dropped = try #require(try editor.insertedQuakes.first)
        editor.rollback()
        #expect(try editor.quake(key: dropped.key) == nil)
    }

    @Test("Saving an update to a quake deleted by another editor fails and does not drop the update")
    func updateOfDeletedQuake() throws {
        try context.save(.sample("usa"))
        let stored = try #require(try context.quake(id: "usa"))
        try editor.update(stored, to: stored.quake.with { $0.magnitude = 5 })
        let other = try QuakeContext(scratch.store, author: "org.example.other")
        let otherEditor = QuakeEditor(other)
        try otherEditor.delete(stored)
        try otherEditor.save()
        let gone = StoreError.gone(id: "usa", key: stored.key)
        #expect(try editor.fetch().isEmpty)
        #expect(throws: gone) { try editor.save() }
        #expect(editor.hasChanges)
        editor.rollback()
        #expect(try context.maintenance.verify().isSound)
    }

    // Proves feature E6 of seeds.md.
    @Test("If a save can no longer be undone, undo throws once, then undoes the save before it")
    func undoSkipsObstacle() throws {
        #expect(!editor.canUndo && !editor.canRedo)
        for code in ["a", "b"] { try context.save(.sample("us" + code)) }
        let other = try QuakeContext(scratch.store, author: "org.example.other")
        try other.save(.sample("usb", magnitude: 5))
        #expect(throws: StoreError.cannotUndo(transaction: 2, quakes: ["usb"])) { try editor.undo() }
        #expect(editor.canUndo)
        try editor.undo()
        #expect(try context.fetch().map(\.quake.id) == ["usb"])
        #expect(!editor.canUndo && editor.canRedo)
        try editor.redo()
        #expect(try context.fetchCount() == 2 && editor.canUndo && !editor.canRedo)

        try editor.insert(.sample("usc"))
        try editor.undo()
        #expect(editor.canRedo && !editor.hasChanges)
    }

    @Test("A failed autosave throws from the edit that triggered it, and the edit stays unsaved")
    func failedAutosave() throws {
        let impatient = QuakeCache(path: scratch.path, configuration: StoreConfiguration(busyTimeout: .zero))
        let waiting = QuakeEditor(try QuakeContext(impatient))
        waiting.autosave = Autosave(afterOperations: 1)
        try context.write { _ in
            #expect(throws: StoreError.busy(path: scratch.path)) { try waiting.insert(.sample("usa")) }
            #expect(waiting.pendingChanges == [.insert(.sample("usa"))])
            #expect(throws: StoreError.busy(path: scratch.path)) { try waiting.save() }
        }
        #expect(try waiting.save()?.counts.inserted == 1)
    }
}
