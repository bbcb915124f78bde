import Foundation
import QuakeMirror
import Synchronization
import Testing

/// Mistakes that a program may make and problems that it may meet: nothing is lost, and the program is notified.
@Suite(.timeLimit(.minutes(5)))
struct SafeEdges {
    // MARK: Pins

    @Test("A pinned view moves with a history entry of its own context, and not with its bookkeeping")
    func bookkeepingLeavesThePin() async throws {
        try await withCache { cache, view in
            try view.edits.insert(.invented("a"))
            try view.edits.save()
            try view.pin(to: .current)
            #expect(try view.fetchCount() == 1)
            let other = try cache.context(author: "org.example.other")
            try other.edits.insert(.invented("b"))
            try other.edits.save()

            let token = try view.history.head()
            try view.history.acknowledge(token, for: "org.example.reader")
            #expect(try view.history.consumer(named: "org.example.reader")?.token == token)
            try view.history.forgetConsumer(named: "org.example.reader")
            #expect(try view.history.consumers().isEmpty)
            try view.history.delete(before: .beginning)
            try view.edits.insert(.invented("a"))
            #expect(try view.edits.save() == nil)
            try view.history.delete(before: .token(try other.history.head()))
            #expect(try view.fetchCount() == 1 && view.history.head() == token)

            try view.edits.insert(.invented("c"))
            try view.edits.save()
            #expect(try view.fetchCount() == 3)
        }
    }

    // MARK: Pending changes

    @Test("Batches and refreshed lists show pending changes where the list has them")
    func pendingChangesStay() async throws {
        try await withCache { _, context in
            for code in ["a", "b"] { try context.edits.insert(.invented(code, magnitude: 1)) }
            try context.edits.save()
            let first = try #require(try context.quake(forID: "usa"))
            try context.edits.update(first, to: first.quake.with(magnitude: 5))
            try context.edits.insert(.invented("new", magnitude: 7))
            try context.edits.delete(try #require(try context.quake(forID: "usb")))

            let descriptor = QuakeDescriptor(sort: .magnitude, includesPending: true)
            let batches = try context.fetch(descriptor, batchSize: 1)
            var list = try context.fetch(descriptor)
            #expect(list.map(\.quake.magnitude) == [7, 5])
            #expect(try batches.flatMap { try $0.quakes() } == list)
            try context.refresh(&list)
            #expect(list.map(\.quake.magnitude) == [7, 5])
            #expect(try context.refresh(first)?.quake.magnitude == 5)
            // Without pending changes, a batch shows the saved state.
            #expect(try context.fetch(QuakeDescriptor(), batchSize: 9).flatMap { try $0.quakes() }.count == 2)
        }
    }

    @Test("A temporary key leads to its quake while that is pending, and to the saved quake afterward")
    func temporaryKeys() async throws {
        try await withCache { _, context in
            try context.edits.insert(.invented("new", magnitude: 7))
            let temporary = try #require(try context.edits.insertedQuakes.first)
            #expect(temporary.isTemporary)
            #expect(try context.quake(forKey: temporary.key) == temporary)
            try context.edits.save()
            let saved = try #require(try context.quake(forID: "usnew"))
            #expect(try !saved.isTemporary && context.quake(forKey: temporary.key) == saved)
            var list = [temporary]
            try context.refresh(&list)
            #expect(list == [saved])
            // A quake fetched before the save can still be changed.
            try context.edits.update(temporary, to: temporary.quake.with(magnitude: 8))
            try context.edits.save()
            #expect(try context.fetch().map(\.quake.magnitude) == [8])
            try context.edits.delete(temporary)
            try context.edits.save()
            #expect(try context.fetchCount() == 0)

            try context.edits.insert(.invented("dropped"))
            let dropped = try #require(try context.edits.insertedQuakes.first)
            context.edits.rollback()
            #expect(try context.quake(forKey: dropped.key) == nil)
        }
    }

    @Test("New values for a quake that somebody deleted meanwhile are an error, not lost")
    func updateOfAQuakeThatIsGone() async throws {
        try await withCache { cache, context in
            try context.edits.insert(.invented("a"))
            try context.edits.save()
            let stored = try #require(try context.quake(forID: "usa"))
            try context.edits.update(stored, to: stored.quake.with(magnitude: 5))
            let other = try cache.context(author: "org.example.other")
            try other.edits.delete(stored)
            try other.edits.save()
            let gone = StoreError.gone(id: "usa", key: stored.key)
            #expect(try context.fetch(QuakeDescriptor(includesPending: true)).isEmpty)
            #expect(throws: gone) { try context.edits.save() }
            #expect(context.edits.hasChanges)
            context.edits.rollback()
            #expect(try context.maintenance.verify().isSound)
        }
    }

    @Test("A transaction that can no longer be undone is said once and then out of the way")
    func undoGoesOnBehindAnObstacle() async throws {
        try await withCache { cache, context in
            #expect(!context.edits.canUndo && !context.edits.canRedo)
            for code in ["a", "b"] {
                try context.edits.insert(.invented(code))
                try context.edits.save()
            }
            let other = try cache.context(author: "org.example.other")
            try other.edits.insert(.invented("b", magnitude: 5))
            try other.edits.save()
            #expect(throws: StoreError.cannotUndo(transaction: TransactionNumber(2), quakes: ["usb"])) {
                try context.edits.undo()
            }
            #expect(context.edits.canUndo)
            try context.edits.undo()
            #expect(try context.fetch().map(\.quake.id) == ["usb"])
            #expect(!context.edits.canUndo && context.edits.canRedo)
            try context.edits.redo()
            #expect(try context.fetchCount() == 2 && context.edits.canUndo && !context.edits.canRedo)

            try context.edits.insert(.invented("c"))
            try context.edits.undo()
            #expect(context.edits.canRedo && !context.edits.hasChanges)
        }
    }

    @Test("An autosave that fails throws from the call that caused it; the change stays pending")
    func failingAutosave() async throws {
        try await withCache { cache, _ in
            let reader = try cache.context(access: .reading)
            reader.edits.autosave = Autosave(afterOperations: 1)
            #expect(throws: StoreError.readOnly(path: cache.path)) { try reader.edits.insert(.invented("a")) }
            #expect(reader.edits.pendingChanges == [.insert(.invented("a"))])
            #expect(throws: StoreError.readOnly(path: cache.path)) { try reader.edits.save() }
        }
    }

    // MARK: Messages

    @Test("Every error says in one sentence what happened")
    func sentences() async throws {
        let errors: [(any LocalizedError, String)] = [
            (FeedError.status(404, url: "http://x.example/y"), "http://x.example/y returned status 404."),
            (FeedError.transport(TransportError(.interrupted, "It was interrupted.")), "It was interrupted."),
            (BoundingBoxError.notFinite, "An edge of the rectangle is not a number of degrees."),
            (StoreError.gone(id: "usa", key: QuakeKey(1)), "The quake usa is no longer in the cache."),
        ]
        for (error, sentence) in errors {
            #expect(error.errorDescription == sentence)
            #expect(error.localizedDescription == sentence)
        }
        #expect("\(StoreError.unstorable(id: "usa", property: .mag, value: "nan"))".contains("property: mag,"))
    }
}
