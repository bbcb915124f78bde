import QuakeEditing
import QuakeStore
import QuakeTestSupport
import Synchronization
import Testing

@Suite("Pending changes of an editor", .scratch) final class PendingChangeTests: SuiteWithCache {
    // Proves features E3 and E5 of seeds.md.
    @Test("An editor lists its unsaved changes and saves them as one transaction")
    func savedAsOneTransaction() throws {
        try editor.insert(contentsOf: ["a", "b", "c"].map { Quake.coded($0) })
        #expect(editor.hasChanges)
        #expect(try editor.insertedQuakes.map(\.quake.code) == ["a", "b", "c"])
        #expect(try context.fetchCount() == 0)
        let entry = try #require(try editor.save())
        #expect(entry.author == "test")
        #expect(!editor.hasChanges)
        #expect(try context.fetchCount() == 3)

        let a = try #require(try context.quake(id: "USA"))
        let b = try #require(try context.quake(id: "usb"))
        let changed = a.quake.with { $0.magnitude = 5 }
        try editor.update(a, to: changed)
        try editor.delete(b)
        #expect(try editor.changedQuakes.map(\.quake.magnitude) == [5])
        #expect(try editor.deletedQuakes == [b])
        context.author = "org.example.editor"
        let next = try editor.save()
        #expect(next?.number == TransactionNumber(entry.number.rawValue + 1) && next?.author == "org.example.editor")
        #expect(try context.history.transactions(after: 0).map(\.author) == ["test", "org.example.editor"])
        #expect(try context.quake(key: a.key)?.quake == changed)
        #expect(try context.quake(key: b.key) == nil)
    }

    @Test("Unsaved changes to one quake can be rolled back without those to other quakes") func rollbackOfOneQuake()
        throws
    {
        try context.save(Quake.coded("a"), Quake.coded("b"))
        let a = try #require(try context.quake(id: "usa"))
        let b = try #require(try context.quake(id: "usb"))
        try editor.delete(b)
        for code in ["new", "a", "dropped"] { try editor.insert(Quake.coded(code, mag: 9)) }
        let dropped = try #require(try editor.insertedQuakes.last)
        for quake in [dropped, a] { editor.rollback(quake.key) }
        #expect(try editor.insertedQuakes.map(\.quake.code) == ["new"])
        #expect(try editor.deletedQuakes == [b] && editor.pendingChanges.count == 2)
    }

    @Test("Inserting a quake under a cached or deleted quake's id updates or restores that quake")
    func insertOfExistingID() throws {
        for magnitude in [4.0, 6] { try context.save(Quake.coded("a", mag: magnitude)) }
        let stored = try #require(try context.fetch().first)
        #expect(try context.fetchCount() == 1)
        #expect(stored.quake.magnitude == 6)
        try editor.delete(stored)
        try editor.save()
        try context.save(Quake.coded("a", mag: 7))
        #expect(try context.fetch().map(\.key) == [stored.key])
        try editor.insert(Quake.coded("a", mag: 7))
        #expect(try editor.save() == nil, "nothing differs, so there is no entry")
    }

    @Test("Two editors' updates of different properties of one quake are both saved") func updateOfChangedProperties()
        throws
    {
        try context.record(Quake.coded("a", mag: 4, place: "old"))
        let stored = try #require(try context.fetch().first)
        try editor.update(stored, to: stored.quake.with { $0.magnitude = 5 })
        let other = try QuakeContext(scratch.store)
        let otherEditor = QuakeEditor(other)
        try otherEditor.update(stored, to: stored.quake.with { $0.place = "new" })
        try otherEditor.save()
        try editor.save()
        let result = try #require(try context.quake(key: stored.key))
        #expect(result.quake.magnitude == 5)
        #expect(result.quake.place == "new")
    }

    // Proves feature B6 of seeds.md.
    @Test("Deleting by filter records the deleted quakes' last values in the history") func deletionByFilter() throws {
        try editor.transaction {
            for index in 0..<20 { try editor.insert(Quake.coded("q\(index)", mag: Double(index))) }
        }
        let small = QuakeFilter(maximumMagnitude: 9)
        try editor.delete(where: small)
        #expect(try editor.pendingChanges == context.fetch(QuakeDescriptor(filter: small)).map(PendingChange.delete))
        editor.rollback()
        #expect(try editor.save() == nil)
        #expect(try context.fetchCount() == 20)
        try editor.delete(where: small)
        let entry = try #require(try editor.save())
        #expect(try context.fetchCount() == 10)
        let start = HistoryDescriptor(start: .transaction(TransactionNumber(entry.number.rawValue - 1)))
        let tombstones = try context.relevantChanges(start).map(\.change.effect)
        #expect(
            tombstones
                == (0..<10).map {
                    .delete(tombstone: Quake.coded("q\($0)", mag: Double($0)), mergedInto: nil)
                })
    }

    @Test("If a transaction block throws an error, none of its changes are kept or saved") func throwingBlock() throws {
        struct Refusal: Error {}
        try editor.insert(Quake.coded("before"))
        #expect(throws: Refusal.self) {
            try editor.transaction {
                try editor.insert(Quake.coded("inside"))
                throw Refusal()
            }
        }
        #expect(try editor.insertedQuakes.map(\.quake.code) == ["before"])
        #expect(throws: Refusal.self) {
            try context.write { writer in
                try writer.insert(Quake.coded("writer"), reason: .new)
                throw Refusal()
            }
        }
        #expect(try context.fetchCount() == 0)
        #expect(try context.history.transactions(after: 0).isEmpty)
    }

    // Proves feature E4 of seeds.md.
    @Test("Autosave, if enabled, saves after a set number of changes or when the editor is released") func autosave()
        throws
    {
        do {
            let dropping = try QuakeContext(scratch.store)
            let droppingEditor = QuakeEditor(dropping)
            try droppingEditor.insert(Quake.coded("dropped"))
        }
        #expect(try context.fetchCount() == 0)
        editor.autosave = Autosave(afterOperations: 3)
        for code in ["a", "b"] { try editor.insert(Quake.coded(code)) }
        #expect(editor.hasChanges)
        try editor.insert(Quake.coded("c"))
        #expect(!editor.hasChanges)
        #expect(try context.fetchCount() == 3)
        let failures = Mutex<[String]>([])
        for author in ["test", "an author\n"] {
            let releasing = try QuakeContext(scratch.store, author: author)
            let releasingEditor = QuakeEditor(releasing)
            releasingEditor.autosave = Autosave { error in failures.withLock { $0.append("\(error)") } }
            try releasingEditor.insert(Quake.coded("kept"))
        }
        #expect(try context.fetchCount() == 4)
        #expect(failures.withLock { $0.count } == 1)
    }

    @Test("didSaveStream announces each transaction that changes anything, onWillSave each such save")
    func listeners() async throws {
        var announced: [Int] = []
        let didSave = try listen(scratch.store) { announced.append($0) }
        var saved: [SavedChanges] = []
        for await changes in didSave { saved.append(changes) }
        #expect(announced == [2, 3])
        // Two saves, the undo of the second and its redo.
        #expect(saved.map(\.inserted) == [[1, 2], [3], [2], [3]])
        #expect(saved.map(\.updated) == [[], [1], [1], [1]])
        #expect(saved.map(\.deleted) == [[], [2], [3], [2]])
        #expect(saved.map(\.transaction.number) == [1, 2, 3, 4])
    }

    /// The stream ends with the editor of this function.
    private func listen(_ store: QuakeCache, _ announce: (Int) -> Void) throws -> AsyncStream<SavedChanges> {
        let context = try QuakeContext(store)
        let editor = QuakeEditor(context)
        let saves = editor.didSaveStream()
        try withoutActuallyEscaping(announce) { announce in
            editor.onWillSave = { announce($0.pendingChanges.count) }
            defer { editor.onWillSave = nil }
            try makeSaves(editor, context)
        }
        return saves
    }

    private func makeSaves(_ editor: QuakeEditor, _ context: QuakeContext) throws {
        for code in ["a", "b"] { try editor.insert(Quake.coded(code)) }
        let nested = StoreError.contextState("a transaction inside another one of the same context")
        #expect(throws: CancellationError.self) {
            try context.write { _ in
                #expect(throws: nested) { try editor.save() }
                throw CancellationError()
            }
        }
        #expect(editor.hasChanges)
        try editor.save()
        let stored = try context.fetch(QuakeDescriptor()).sorted { $0.key < $1.key }
        try editor.update(stored[0], to: stored[0].quake.with { $0.magnitude = nil })
        try editor.delete(stored[1])
        try editor.insert(Quake.coded("c"))
        try editor.save()
        try editor.insert(Quake.coded("c"))
        #expect(try editor.save() == nil, "a save without effect is told to nobody")
        try editor.undo()
        #expect(try context.quake(id: "usc") == nil && context.fetchCount() == 2)
        try editor.redo()
        #expect(try context.quake(id: "usb") == nil && context.fetchCount() == 2)
    }

    // Proves feature E1 of seeds.md.
    @Test("Fetching or enumerating in batches returns every quake, batchSize at a time") func batches() throws {
        try editor.transaction {
            for index in 0..<25 { try editor.insert(Quake.coded("q\(index)", mag: Double(index))) }
        }
        let descriptor = QuakeDescriptor(sortBy: .magnitude)
        let batches = try context.fetch(descriptor, batchSize: 10)
        #expect(batches.count == 3)
        #expect(try batches[0].quakes().map(\.quake.magnitude) == (15...24).reversed().map { Double($0) })
        #expect(try batches.last?.quakes().count == 5)
        #expect(try batches.flatMap { try $0.quakes() } == context.fetch(descriptor))
        #expect(try batches.identifiers == context.fetchIdentifiers(descriptor))
        var sizes: [Int] = []
        try context.enumerate(QuakeDescriptor(), batchSize: 10) { sizes.append($0.count) }
        #expect(sizes == [10, 10, 5])
        sizes = []
        try context.enumerate(QuakeDescriptor(limit: 12), batchSize: 5) { sizes.append($0.count) }
        #expect(sizes == [5, 5, 2])
        #expect(try context.fetchCount(QuakeDescriptor(limit: 10, offset: 20)) == 5)
    }

    @Test("Refreshing a fetched list loads new values and drops quakes deleted in the meantime") func refresh() throws {
        for code in ["a", "b", "c"] { try context.record(Quake.coded(code)) }
        var fetched = try context.fetch(QuakeDescriptor()).sorted { $0.key < $1.key }
        let batches = try context.fetch(QuakeDescriptor(), batchSize: 2)
        let other = try QuakeContext(scratch.store)
        let otherEditor = QuakeEditor(other)
        try otherEditor.transaction {
            try otherEditor.insert(Quake.coded("a", mag: 9))
            try otherEditor.delete(fetched[1])
        }
        #expect(try context.refresh(fetched[1]) == nil)
        #expect(try context.refresh(fetched[0])?.quake.magnitude == 9)
        try context.refresh(&fetched)
        #expect(fetched.map(\.quake.code) == ["a", "c"])
        #expect(fetched[0].quake.magnitude == 9)
        #expect(try Set(batches.flatMap { try $0.quakes() }) == Set(fetched))
    }

    @Test("The debug description of a context or editor names cache, author and pinned state")
    func debugDescription() throws {
        #expect(context.cache.path == scratch.store.path)
        #expect(context.debugDescription.contains(scratch.path))
        #expect(context.debugDescription.contains("author test, unpinned"))
        #expect(editor.debugDescription.contains("author test, unpinned), 0 pending"))
        try context.pin(to: .current)
        let token = try context.history.currentToken()
        #expect(context.debugDescription.contains("pinned to \(token)"))
    }
}
