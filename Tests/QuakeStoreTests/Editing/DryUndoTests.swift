import QuakeEditing
import QuakeStore
import QuakeTestSupport
import Testing

/// A dry run of an undo only reads.
@Suite("Dry runs of an undo", .scratch) final class DryUndoTests: SuiteWithCache {
    @Test("A dry run in a context for reading reports the counts of the real undo") func inReadingContext()
        async throws
    {
        try context.edit { try $0.insert(contentsOf: (0..<6).map { .coded("q\($0)", mag: Double($0)) }) }
        try context.edit { editor in
            try editor.delete(where: QuakeFilter(maximumMagnitude: 1))
            for stored in try editor.fetch(QuakeFilter(minimumMagnitude: 4)) {
                try editor.update(stored, to: stored.quake.with { $0.place = "there" })
            }
            try editor.insert(.coded("new"))
        }
        try context.save(.coded("q5", mag: 9))
        let contents = try context.contents()
        let head = try context.history.currentToken()
        let reader = try QuakeContext(scratch.store, author: "org.example.reader", access: .reading)
        let dry = try reader.undo(transaction: 2, dryRun: true)
        let inRead = try await scratch.store.read { try $0.undo(transaction: 2, dryRun: true).result }
        #expect(dry.result == inRead && dry.result == UndoneQuakes(restored: 4, leftAsTheyAre: 1))
        #expect(dry.transaction == nil)
        #expect(try context.contents() == contents && context.history.currentToken() == head)
        let real = try context.undo(transaction: 2)
        #expect(real.result == dry.result)
        #expect(real.transaction?.counts.total == dry.result.restored && real.transaction?.undoes == 2)
        #expect(throws: StoreError.noTransaction(99)) { try reader.undo(transaction: 99, dryRun: true) }
    }

    @Test("A dry run in a pinned context is about the newest state, and leaves the pin in place")
    func inPinnedContext() throws {
        try context.save(.coded("a"), .coded("b"))
        let pinned = try QuakeContext(scratch.store, access: .reading)
        try pinned.pin(to: .current)
        let place = try pinned.history.currentToken()
        try context.save(.coded("a", mag: 7))
        let undone = UndoneQuakes(restored: 1, leftAsTheyAre: 1)
        #expect(try pinned.undo(transaction: 1, dryRun: true).result == undone)
        #expect(try pinned.snapshot { try pinned.undo(transaction: 1, dryRun: true).result } == undone)
        #expect(try pinned.undo(transaction: 2, dryRun: true).result.restored == 1)
        #expect(try pinned.history.currentToken() == place && pinned.fetchCount() == 2)
        #expect(throws: StoreError.cannotUndo(transaction: 2, quakes: ["usa"])) {
            try context.save(.coded("a", mag: 8))
            _ = try pinned.undo(transaction: 2, dryRun: true)
        }
    }

    @Test("A dry run refuses an author or program that the real undo could not record") func unstorableTexts() throws {
        try context.save(.coded("a"))
        let nameless = QuakeCache(path: scratch.path, configuration: StoreConfiguration(program: ""))
        for (cache, author, subject) in [(scratch.store, "", "author"), (nameless, "a", "program's name")] {
            let context = try QuakeContext(cache, author: author)
            for dryRun in [true, false] {
                #expect(throws: StoreError.unstorableText(of: subject, reason: "it is empty"), "dry run: \(dryRun)") {
                    try context.undo(transaction: 1, dryRun: dryRun)
                }
            }
        }
    }

    // Proves feature E6 of seeds.md.
    @Test("The history tells which transactions are undos and which are undone") func undoneTransactions() throws {
        try context.save(.coded("a"))
        try context.save(.coded("a", mag: 7))
        try context.undo(transaction: 2)
        #expect(try context.history.transactions(after: 0).map(\.undoes) == [nil, nil, 2])
        #expect(try [1, 2, 3].map { try context.history.isUndone($0) } == [false, true, false])
        let before = try QuakeContext(scratch.store, access: .reading)
        try before.pin(to: .token(context.history.token(afterTransaction: 2)))
        #expect(try !before.history.isUndone(2))
        // Undoing the undo redoes the transaction.
        try context.undo(transaction: 3)
        #expect(try [1, 2, 3, 4].map { try context.history.isUndone($0) } == [false, false, true, false])
    }

    @Test("The changes of one transaction are listed in order") func changesOfTransaction() throws {
        try context.save(.coded("a"), .coded("b"))
        try context.edit { editor in
            try editor.update(try #require(try context.quake(key: 1)), to: .coded("a", mag: 7))
            try editor.delete(try #require(try context.quake(key: 2)))
        }
        let changes = try context.history.changes(ofTransaction: 2)
        #expect(changes.map(\.quakeKey) == [2, 1] && changes.map(\.kind) == [.delete, .update])
        #expect(changes.last?.before?.magnitude == 4 && changes.last?.after?.magnitude == 7)
        #expect(throws: StoreError.noTransaction(3)) { try context.history.changes(ofTransaction: 3) }
        let before = try QuakeContext(scratch.store, access: .reading)
        try before.pin(to: .token(context.history.token(afterTransaction: 1)))
        #expect(throws: StoreError.noTransaction(2)) { try before.history.changes(ofTransaction: 2) }
    }
}
