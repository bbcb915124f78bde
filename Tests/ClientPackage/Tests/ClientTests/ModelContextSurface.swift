import Foundation
import QuakeStore
import Synchronization
import Testing

/// All features of SwiftData's `ModelContext`, in the order of its documentation.
@Suite(.timeLimit(.minutes(5)))
struct ModelContextSurface {
    /// A cache with quakes of magnitude 1 to `count`, saved.
    private func withQuakes<Result>(
        _ count: Int, _ body: (QuakeCache, QuakeContext) async throws -> Result
    ) async throws -> Result {
        try await withCache { cache, context in
            for number in 1...count { try context.edits.insert(.invented("q\(number)", magnitude: Double(number))) }
            try context.edits.save()
            return try await body(cache, context)
        }
    }

    @Test("fetch(_:) with predicate, order, limit and offset; fetchCount and fetchIdentifiers agree with it")
    func fetching() async throws {
        try await withQuakes(40) { _, context in
            let descriptor = QuakeDescriptor(
                filter: QuakeFilter(minimumMagnitude: 11), sort: .magnitude, order: .forward, limit: 10, offset: 5)
            let quakes = try context.fetch(descriptor)
            #expect(quakes.map(\.quake.magnitude) == (16...25).map { Double($0) })
            #expect(try context.fetchCount(descriptor) == 10)
            #expect(try context.fetchIdentifiers(descriptor) == quakes.map(\.id))
            let even = try context.fetch(descriptor) { Int($0.magnitude ?? 0).isMultiple(of: 2) }
            #expect(even.map(\.quake.magnitude) == stride(from: 22, through: 40, by: 2).map { Double($0) })
        }
    }

    @Test("fetch(_:batchSize:) and fetchIdentifiers in batches hold keys and fetch values late")
    func batches() async throws {
        try await withQuakes(25) { _, context in
            let descriptor = QuakeDescriptor(sort: .magnitude)
            let batches = try context.fetch(descriptor, batchSize: 10)
            #expect(batches.count == 3 && batches.identifiers.count == 25)
            #expect(try batches[2].quakes().map(\.quake.magnitude) == [5, 4, 3, 2, 1])
            #expect(batches.reversed().first?.identifiers.count == 5)
            var sizes: [Int] = []
            try context.enumerate(descriptor, batchSize: 10) { sizes.append($0.count) }
            #expect(sizes == [10, 10, 5])
        }
    }

    @Test("enumerate(_:batchSize:) visits each quake once, also while its body changes them")
    func enumeratingWhileChanging() async throws {
        try await withQuakes(100) { _, context in
            var visited = 0
            try context.enumerate(QuakeDescriptor(sort: .magnitude), batchSize: 9) { batch in
                for stored in batch {
                    visited += 1
                    try context.edits.update(
                        stored, to: stored.quake.with(magnitude: (stored.quake.magnitude ?? 0) + 200))
                }
            }
            try context.edits.save()
            #expect(visited == 100)
            #expect(
                try context.fetch(QuakeDescriptor(sort: .magnitude, order: .forward)).map(\.quake.magnitude)
                    == (201...300).map { Double($0) })
        }
    }

    @Test("model(for:) and registeredModel(for:): by key, by id and by every former id")
    func byIdentifier() async throws {
        try await withQuakes(3) { _, context in
            let stored = try #require(try context.quake(forID: "USQ2"))
            #expect(try context.quake(forKey: stored.id) == stored)
            var renamed = stored.quake
            renamed.net = "ci"
            renamed.ids = PublishedSet(members: ["usq2", "ciq2"])
            try context.edits.update(stored, to: renamed)
            try context.edits.save()
            #expect(try context.quake(forID: "usq2")?.quake.id == "ciq2")
            #expect(try context.quake(forID: "ciq2")?.key == stored.key)
            #expect(try context.aliases(ofKey: stored.key) == ["ciq2", "usq2"])
            #expect(try context.quake(forID: "nothing") == nil)
        }
    }

    @Test("insert, delete and changed values are pending, in hasChanges and the three arrays, until save()")
    func pendingArrays() async throws {
        try await withQuakes(4) { cache, context in
            #expect(!context.edits.hasChanges)
            let (first, second) = (try context.quake(forID: "usq1"), try context.quake(forID: "usq2"))
            try context.edits.insert(.invented("new", magnitude: 7))
            try context.edits.update(try #require(first), to: try #require(first).quake.with(magnitude: 1.5))
            try context.edits.delete(try #require(second))
            #expect(context.edits.hasChanges)
            #expect(try context.edits.insertedQuakes.map(\.quake.code) == ["new"])
            #expect(try context.edits.changedQuakes.map(\.quake.magnitude) == [1.5])
            #expect(try context.edits.deletedQuakes == [try #require(second)])
            // The saved state, and the same with pending changes.
            #expect(try context.fetchCount(QuakeDescriptor()) == 4)
            let pending = try context.fetch(QuakeDescriptor(sort: .magnitude, includesPending: true))
            #expect(pending.map(\.quake.magnitude) == [7, 4, 3, 1.5])
            let temporary = try #require(pending.first)
            #expect(temporary.isTemporary)
            // A pending insert can be changed and deleted like any other quake.
            try context.edits.update(temporary, to: temporary.quake.with(magnitude: 7.1))
            #expect(try context.edits.insertedQuakes.map(\.quake.magnitude) == [7.1])
            // What is pending about one quake is dropped alone, also where it was inserted once more.
            let third = try #require(try context.quake(forID: "usq3"))
            for code in ["q3", "dropped"] { try context.edits.insert(.invented(code, magnitude: 9)) }
            let dropped = try #require(try context.edits.insertedQuakes.last)
            for quake in [dropped, third] { context.edits.rollback(quake.key) }
            #expect(context.edits.pendingChanges.count == 4)
            #expect(try context.edits.insertedQuakes.map(\.quake.code) == ["new"])

            let entry = try #require(try context.edits.save())
            // The history records each step: an insert that was changed before the save is an insert and an update.
            #expect(entry.counts == .init(inserted: 1, updated: 2, deleted: 1) && !context.edits.hasChanges)
            #expect(try cache.context(access: .reading).fetchCount() == 4)
            #expect(try context.edits.insertedQuakes.isEmpty && context.edits.save() == nil)
        }
    }

    @Test("transaction(block:) saves all of the block or nothing, autosave or not")
    func transactionBlock() async throws {
        struct Refusal: Error {}
        try await withQuakes(1) { _, context in
            context.edits.autosave = Autosave(afterOperations: 1)
            #expect(throws: Refusal.self) {
                try context.edits.transaction {
                    try context.edits.insert(.invented("x"))
                    try context.edits.insert(.invented("y"))
                    throw Refusal()
                }
            }
            #expect(
                try context.fetchCount() == 1 && !context.edits.hasChanges
                    && context.history.head().number == TransactionNumber(1))
            let entry = try context.edits.transaction {
                try context.edits.insert(.invented("x"))
                try context.edits.insert(.invented("y"))
            }
            #expect(entry?.counts.inserted == 2 && entry?.number == TransactionNumber(2))
        }
    }

    @Test("Autosave is off by default, saves after so many changes, and on release; a failure is told")
    func autosave() async throws {
        try await withQuakes(1) { cache, context in
            try context.edits.insert(.invented("x"))
            #expect(try context.history.head().number == TransactionNumber(1))
            context.edits.rollback()
            context.edits.autosave = Autosave(afterOperations: 2)
            for code in ["x", "y", "z"] { try context.edits.insert(.invented(code)) }
            #expect(try context.fetchCount() == 3 && context.edits.hasChanges)

            do {
                let released = try cache.context(author: "org.example.released")
                released.edits.autosave = Autosave(onRelease: true)
                try released.edits.insert(.invented("last"))
            }
            #expect(try context.quake(forID: "uslast") != nil)

            let failures = Mutex<[StoreError]>([])
            do {
                let reader = try cache.context(access: .reading)
                reader.edits.autosave = Autosave(onRelease: true) { error in failures.withLock { $0.append(error) } }
                try reader.edits.insert(.invented("never"))
            }
            #expect(failures.withLock { $0.count } == 1)
        }
    }

    @Test("Who must know before the commit is called within the save, and may change what it saves or cancel it")
    func willSave() async throws {
        try await withQuakes(1) { cache, context in
            var heard: [[PendingChange]] = []
            let reader = try cache.context(access: .reading)
            context.edits.onWillSave = { [unowned context] changes in
                heard.append(changes)
                let isSaved = try? reader.key(ofID: "usx") != nil
                #expect(isSaved == false)
                #expect(throws: StoreError.self) { try context.edits.save() }
                #expect(throws: Never.self) { try context.edits.insert(.invented("y")) }
            }
            try context.edits.insert(.invented("x"))
            let saved = try context.edits.save()
            #expect(heard == [[.insert(.invented("x"))]])
            #expect(try context.key(ofID: "usx") != nil && context.key(ofID: "usy") != nil)
            #expect(try !context.edits.hasChanges && saved == context.history.lastTransaction())
            try context.edits.save()
            #expect(heard.count == 1)
            context.edits.onWillSave = { [unowned context] _ in context.edits.rollback() }
            try context.edits.insert(.invented("z"))
            #expect(try context.edits.save() == nil && context.key(ofID: "usz") == nil)
        }
    }

    @Test("The author of a context is on its transactions; nothing else is misattributed")
    func author() async throws {
        try await withQuakes(1) { _, context in
            context.author = "org.example.import"
            try context.edits.insert(.invented("x"))
            #expect(try context.edits.save()?.author == "org.example.import")
            context.author = "org.example.app"
            try context.edits.insert(.invented("y"))
            #expect(try context.edits.save()?.author == "org.example.app")
            var authors: [String] = []
            try context.history.fetch { if case .change(let change) = $0 { authors.append(change.transaction.author) } }
            #expect(authors == ["org.example.app", "org.example.import", "org.example.app"])
            #expect(try context.history.delete(before: .transaction(TransactionNumber(3))).transactions == 2)
        }
    }

    @Test("undo() removes a pending change, then transactions; redo() brings them back; a new change ends redo")
    func undoAndRedo() async throws {
        try await withQuakes(1) { _, context in
            let before = try context.fetch()
            try context.edits.insert(.invented("x"))
            try context.edits.undo()
            #expect(!context.edits.hasChanges)
            try context.edits.redo()
            #expect(context.edits.hasChanges)
            // What was undone while it was pending can be redone after a save.
            let pending = try #require(try context.edits.insertedQuakes.first)
            try context.edits.update(pending, to: pending.quake.with(magnitude: 5))
            try context.edits.undo()
            try context.edits.save()
            #expect(context.edits.canRedo)
            try context.edits.redo()
            #expect(try context.edits.changedQuakes.map(\.quake.magnitude) == [5])
            try context.edits.undo()

            try context.edits.delete(where: QuakeFilter())
            try context.edits.save()
            try context.edits.undo()
            #expect(try context.fetchCount() == 2)
            try context.edits.undo()
            #expect(try context.fetch() == before)
            try context.edits.redo()
            #expect(try context.fetchCount() == 2)
            try context.edits.insert(.invented("y"))
            try context.edits.redo()
            #expect(try context.fetchCount() == 2)
        }
    }

    @Test("Two quakes with one id are one record, and values that cannot be stored are refused by name")
    func uniqueAndStorable() async throws {
        try await withQuakes(1) { _, context in
            try context.edits.insert(.invented("x", magnitude: 1))
            try context.edits.insert(.invented("x", magnitude: 2))
            #expect(try context.edits.insertedQuakes.map(\.quake.magnitude) == [2])
            let error = #expect(throws: StoreError.self) { try context.edits.insert(.invented("bad", magnitude: .nan)) }
            #expect(error == .unstorable(id: "usbad", property: .mag, value: "nan"))
            #expect(error?.errorDescription == "The quake usbad cannot be stored: its mag is nan.")
            try context.edits.save()
            #expect(try context.fetchCount() == 2)
        }
    }

    @Test("A context says what it is: its cache, its author, its pin, what is pending")
    func description() async throws {
        try await withQuakes(1) { cache, context in
            try context.edits.insert(.invented("x"))
            let text = context.debugDescription
            #expect(text.contains(cache.path) && text.contains("org.example.app") && text.contains("1 pending"))
            #expect(context.cache.path == cache.path)
        }
    }
}
