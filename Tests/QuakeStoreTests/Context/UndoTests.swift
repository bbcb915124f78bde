import QuakeStore
import QuakeTestSupport
import Testing

@Suite struct UndoTests {
    private func filled(_ directory: ScratchDirectory, _ count: Int = 12) throws -> QuakeContext {
        let context = try Scenario(directory).context()
        try context.write { writer in
            for index in 0..<count {
                var quake = Scenario.quake("q\(index)", mag: Double(index), place: "Pāhala \"\(index)\"\n")
                quake.ids = PublishedSet(members: [quake.id, "alt\(index)"])
                try writer.insert(quake, reason: .new)
            }
        }
        return context
    }

    @Test func aPurgeIsTakenBackWithKeysValuesAndIDs() throws {
        try withScratchDirectory { directory in
            let context = try filled(directory)
            let before = try context.contents()
            var small = QuakeFilter()
            small.maximumMagnitude = 6
            let purge = try #require(try context.maintenance.purge(small).transaction)
            #expect(try context.history.lastPurge() == purge)
            #expect(try context.history.undo(transaction: purge.number, dryRun: true).count == 7)
            #expect(try context.fetchCount() == 5)
            let undo = try context.history.undo(transaction: purge.number)
            #expect(undo.count == 7)
            #expect(try context.contents() == before)
            #expect(try context.key(ofID: "ALT3") == 4)
            #expect(try context.history.changes(ofKey: 4).map(\.reason) == [.new, .purged, .undone])
            let redo = try context.history.undo(transaction: #require(undo.transaction).number)
            #expect(redo.count == 7)
            #expect(try context.fetchCount() == 5)
        }
    }

    @Test func aPurgeThatWasUndoneIsInEffectAgainOnlyAfterARedo() throws {
        try withScratchDirectory { directory in
            let context = try filled(directory)
            var (small, large) = (QuakeFilter(), QuakeFilter())
            small.maximumMagnitude = 2
            large.minimumMagnitude = 8
            let first = try #require(try context.maintenance.purge(small).transaction)
            let second = try #require(try context.maintenance.purge(large).transaction)
            #expect(try context.history.lastPurgeInEffect() == second)
            let undo = try #require(try context.history.undo(transaction: second.number).transaction)
            #expect(try context.history.undoInEffect(of: second.number) == undo.number)
            #expect(try context.history.lastPurgeInEffect() == first)
            try context.history.undo(transaction: undo.number)
            #expect(try context.history.lastPurgeInEffect() == second)
            try context.history.undo(transaction: second.number)
            try context.history.undo(transaction: first.number)
            #expect(try context.history.lastPurgeInEffect() == nil)
            #expect(try context.history.lastPurge() == second)
        }
    }

    @Test func whatChangedSinceIsNotUndone() throws {
        try withScratchDirectory { directory in
            let context = try filled(directory)
            var one = QuakeFilter()
            one.maximumMagnitude = 0
            let purge = try #require(try context.maintenance.purge(one).transaction)
            try context.edits.insert(Scenario.quake("q0", mag: 8))
            try context.edits.save()
            #expect(throws: StoreError.cannotUndo(transaction: purge.number, quakes: ["usq0"])) {
                try context.history.undo(transaction: purge.number)
            }
            #expect(throws: StoreError.noTransaction(99)) { try context.history.undo(transaction: 99) }
            _ = try context.history.delete(through: purge.number)
            #expect(throws: StoreError.noTransaction(purge.number)) {
                try context.history.undo(transaction: purge.number)
            }
        }
    }

    @Test func anIDThatAnotherQuakeGotMeanwhileStandsInTheWay() throws {
        try withScratchDirectory { directory in
            let context = try filled(directory)
            var one = QuakeFilter()
            one.maximumMagnitude = 0
            let purge = try #require(try context.maintenance.purge(one).transaction)
            try context.write { try $0.insert(Scenario.quake("q0"), reason: .split) }
            #expect(throws: StoreError.cannotUndo(transaction: purge.number, quakes: ["usq0"])) {
                try context.history.undo(transaction: purge.number)
            }
        }
    }

    /// Before, the first rename met the second quake's id, so the undo was refused for later changes that never were.
    @Test(arguments: [["us1", "nc5"], ["nc5", "us1"]])
    func aSaveThatRenamedInAChainIsTakenBackAndRedone(ids: [String]) throws {
        try withScratchDirectory { directory in
            let context = try Scenario(directory).context()
            try save(ids.map { quake($0) }, in: context)
            try expectUndoAndRedo(in: context) {
                try rename("us1", to: "ci9", in: context)
                try rename("nc5", to: "us1", in: context)
            }
        }
    }

    @Test func aSaveThatSwappedTwoIDsIsTakenBackAndRedone() throws {
        try withScratchDirectory { directory in
            let context = try Scenario(directory).context()
            try save([quake("us1"), quake("nc5"), quake("pr3")], in: context)
            try expectUndoAndRedo(in: context) {
                try rename("us1", to: "ci9", in: context)
                try rename("nc5", to: "us1", in: context)
                try rename("ci9", to: "nc5", in: context)
            }
        }
    }

    @Test func aRenameIsNotTakenBackOnceAnotherQuakeHasTheID() throws {
        try withScratchDirectory { directory in
            let context = try Scenario(directory).context()
            try save([quake("us1"), quake("nc5")], in: context)
            try rename("us1", to: "ci9", in: context)
            let entry = try #require(try context.edits.save())
            try rename("nc5", to: "us1", in: context)
            try context.edits.save()
            #expect(throws: StoreError.cannotUndo(transaction: entry.number, quakes: ["us1"])) {
                try context.history.undo(transaction: entry.number)
            }
            #expect(try context.fetch().map(\.quake.id).sorted() == ["ci9", "us1"])
        }
    }

    /// Saves the changes made by `edit`, then undoes and redoes them twice.
    private func expectUndoAndRedo(in context: QuakeContext, _ edit: () throws -> Void) throws {
        let before = try context.contents()
        try edit()
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

    private func rename(_ id: String, to newID: String, in context: QuakeContext) throws {
        let visible = try context.fetch(QuakeDescriptor(includesPending: true))
        try context.edits.update(#require(visible.first { $0.quake.id == id }), to: quake(newID))
    }

    private func quake(_ id: String, _ ids: String...) -> Quake {
        var quake = Quake(sample: id, magnitude: 4)
        if !ids.isEmpty { quake.ids = PublishedSet(members: ids) }
        return quake
    }

    private func save(_ quakes: [Quake], in context: QuakeContext) throws {
        try context.edits.insert(contentsOf: quakes)
        try context.edits.save()
    }

    @Test func undoAndRedoWalkThroughPendingChangesAndThenThroughSaves() throws {
        try withScratchDirectory { directory in
            let context = try Scenario(directory).context()
            try context.edits.insert(Scenario.quake("a", mag: 1))
            try context.edits.save()
            try context.edits.insert(Scenario.quake("a", mag: 2))
            try context.edits.save()
            try context.edits.insert(Scenario.quake("a", mag: 3))
            #expect(try context.edits.undo() == nil)
            #expect(!context.edits.hasChanges)
            #expect(try context.edits.redo() == nil)
            #expect(context.edits.hasChanges)
            try context.edits.undo()

            func magnitude() throws -> Double? { try context.fetch().first?.quake.magnitude }
            try context.edits.undo()
            #expect(try magnitude() == 1)
            try context.edits.undo()
            #expect(try context.fetchCount() == 0)
            #expect(try context.edits.undo() == nil)
            try context.edits.redo()
            #expect(try magnitude() == 1)
            try context.edits.redo()
            #expect(try magnitude() == 2)
            #expect(try context.edits.redo() == nil)
            #expect(
                try context.edits.insertedQuakes.isEmpty && context.edits.changedQuakes.map(\.quake.magnitude) == [3])
            try context.edits.undo()
            try context.edits.undo()
            try context.edits.insert(Scenario.quake("b"))
            try context.edits.undo()
            #expect(try context.edits.redo() == nil, "a new change leaves nothing to redo but itself")
            #expect(try context.edits.insertedQuakes.map(\.quake.code) == ["b"])
        }
    }
}
