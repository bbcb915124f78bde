import QuakeStore
import QuakeTestSupport
import Testing

@Suite(.scratch) final class UndoTests: SuiteWithCache {
    override init() throws {
        try super.init()
        try context.write { writer in
            for index in 0..<12 {
                var quake = Quake.coded("q\(index)", mag: Double(index), place: "Pāhala \"\(index)\"\n")
                quake.ids = PublishedSet(members: [quake.id, "alt\(index)"])
                try writer.insert(quake, reason: .new)
            }
        }
    }

    @Test func aPurgeIsTakenBackWithKeysValuesAndIDs() throws {
        let before = try context.contents()
        let purge = try #require(try context.maintenance.purge(QuakeFilter(maximumMagnitude: 6)).transaction)
        #expect(try context.history.lastPurge() == purge)
        #expect(try context.history.undo(transaction: purge.number, dryRun: true).count == 7)
        #expect(try context.fetchCount() == 5)
        let undo = try context.history.undo(transaction: purge.number)
        #expect(try undo.count == 7 && context.contents() == before)
        #expect(try context.key(ofID: "ALT3") == 4)
        #expect(try context.history.changes(ofKey: 4).map(\.reason) == [.new, .purged, .undone])
        let redo = try context.history.undo(transaction: #require(undo.transaction).number)
        #expect(try redo.count == 7 && context.fetchCount() == 5)
    }

    @Test func aPurgeThatWasUndoneIsInEffectAgainOnlyAfterARedo() throws {
        let first = try #require(try context.maintenance.purge(QuakeFilter(maximumMagnitude: 2)).transaction)
        let second = try #require(try context.maintenance.purge(QuakeFilter(minimumMagnitude: 8)).transaction)
        #expect(try context.history.lastPurgeInEffect() == second)
        let undo = try #require(try context.history.undo(transaction: second.number).transaction)
        #expect(try context.history.undoInEffect(of: second.number) == undo.number)
        #expect(try context.history.lastPurgeInEffect() == first)
        try context.history.undo(transaction: undo.number)
        #expect(try context.history.lastPurgeInEffect() == second)
        try context.history.undo(transaction: second.number)
        try context.history.undo(transaction: first.number)
        #expect(try context.history.lastPurgeInEffect() == nil && context.history.lastPurge() == second)
    }

    @Test(arguments: [ChangeReason.restored, .split])
    func aQuakeThatReturnedMeanwhileOrWhoseIDAnotherGotIsNotUndone(reason: ChangeReason) throws {
        let purge = try #require(try context.maintenance.purge(QuakeFilter(maximumMagnitude: 0)).transaction)
        let quake = Quake.coded("q0", mag: 8)
        try context.write { try $0.insert(quake, reason: reason, key: reason == .split ? nil : 1) }
        #expect(throws: StoreError.cannotUndo(transaction: purge.number, quakes: ["usq0"])) {
            try context.history.undo(transaction: purge.number)
        }
        _ = try context.history.delete(through: purge.number)
        for number in [purge.number, 99] {
            #expect(throws: StoreError.noTransaction(number)) { try context.history.undo(transaction: number) }
        }
    }

    /// Before, the first rename met the second quake's id, so the undo was refused for later changes that never were.
    @Test(arguments: [
        (["us1", "nc5"], [["us1", "ci9"], ["nc5", "us1"]]),
        (["nc5", "us1"], [["us1", "ci9"], ["nc5", "us1"]]),
        (["us1", "nc5", "pr3"], [["us1", "ci9"], ["nc5", "us1"], ["ci9", "nc5"]]),
    ])
    func aSaveThatRenamedInAChainOrSwappedTwoIDsIsTakenBackAndRedone(ids: [String], renames: [[String]]) throws {
        for id in ids { try context.record(Quake(sample: id)) }
        let context = try scratch.store.context()
        let before = try context.contents()
        for rename in renames {
            let visible = try context.fetch(QuakeDescriptor(includesPending: true))
            try context.edits.update(#require(visible.first { $0.quake.id == rename[0] }), to: Quake(sample: rename[1]))
        }
        try context.edits.save()
        let after = try context.contents()
        for _ in 0..<2 {
            for (expected, step) in [(before, context.edits.undo), (after, context.edits.redo)] {
                #expect(try step() != nil)
                #expect(try context.contents() == expected)
                for (key, quake) in expected { #expect(try context.key(ofID: quake.id) == key) }
                #expect(try context.maintenance.verify(full: true).findings.isEmpty)
            }
        }
    }

    @Test func aRenameIsNotTakenBackOnceAnotherQuakeHasTheID() throws {
        for id in ["us1", "nc5"] { try context.record(Quake(sample: id)) }
        for (id, newID) in [("us1", "ci9"), ("nc5", "us1")] {
            try context.edits.update(#require(try context.quake(forID: id)), to: Quake(sample: newID))
            try context.edits.save()
        }
        let contents = try context.contents()
        #expect(throws: StoreError.cannotUndo(transaction: 4, quakes: ["us1"])) {
            try context.history.undo(transaction: 4)
        }
        #expect(try context.contents() == contents)
    }

    @Test func anIDIsGivenBackByAQuakeThatCameAndWentInTheTransaction() throws {
        try context.write { writer in
            let quake = Quake(sample: "alt3")
            let key = try writer.insert(quake, reason: .split)
            try writer.delete(StoredQuake(key: key, quake: quake), reason: .retracted)
        }
        let split = try context.history.head()
        for (key, step) in [(QuakeKey(4), context.edits.undo), (13, context.edits.redo), (4, context.edits.undo)] {
            #expect(try step() != nil && context.key(ofID: "alt3") == key)
        }
        try context.pin(to: .token(split))
        #expect(try context.key(ofID: "alt3") == 13)
    }

    @Test func aTitleThatOutlivesAnUndoDoesNotBlockTheNextOne() throws {
        for steps in [[(5.0, "a")], [(6, "b"), (5, "b")]] {
            try context.write { writer in
                for (magnitude, title) in steps {
                    let stored = try #require(try writer.knownQuake(1)?.stored)
                    let new = stored.quake.with { ($0.magnitude, $0.publishedTitle) = (magnitude, title) }
                    try writer.update(stored, to: new, reason: .revised)
                }
            }
        }
        for magnitude in [5.0, 0] {
            #expect(try context.edits.undo() != nil && context.quake(forKey: 1)?.quake.magnitude == magnitude)
        }
    }

    @Test func whatWasUndoneWhileItWasPendingCanBeRedoneAfterASave() throws {
        try context.edits.insert(Quake.coded("a"))
        let pending = try #require(try context.edits.insertedQuakes.first)
        try context.edits.update(pending, to: pending.quake.with { $0.magnitude = 5 })
        try context.edits.undo()
        try context.edits.save()
        try context.edits.redo()
        #expect(try context.edits.changedQuakes.map(\.quake.magnitude) == [5])
    }

    @Test func undoAndRedoWalkThroughPendingChangesAndThenThroughSaves() throws {
        let context = try scratch.store.context()
        for value in [1.0, 2] { try context.save(Quake.coded("a", mag: value)) }
        try context.edits.insert(Quake.coded("a", mag: 3))
        #expect(try context.edits.undo() == nil && !context.edits.hasChanges)
        #expect(try context.edits.redo() == nil && context.edits.hasChanges)
        try context.edits.undo()

        func magnitude() throws -> Double? { try context.quake(forID: "usa")?.quake.magnitude }
        try context.edits.undo()
        #expect(try magnitude() == 1)
        try context.edits.undo()
        #expect(try context.fetchCount() == 12)
        #expect(try context.edits.undo() == nil)
        try context.edits.redo()
        #expect(try magnitude() == 1)
        try context.edits.redo()
        #expect(try magnitude() == 2)
        #expect(try context.edits.redo() == nil)
        #expect(try context.edits.insertedQuakes.isEmpty && context.edits.changedQuakes.map(\.quake.magnitude) == [3])
        try context.edits.undo()
        try context.edits.undo()
        try context.edits.insert(Quake.coded("b"))
        try context.edits.undo()
        #expect(try context.edits.redo() == nil, "a new change leaves nothing to redo but itself")
        #expect(try context.edits.insertedQuakes.map(\.quake.code) == ["b"])
    }
}
