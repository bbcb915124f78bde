import QuakeEditing
import QuakeStore
import QuakeTestSupport
import Testing

@Suite("Undo and redo", .scratch) final class UndoTests: SuiteWithCache {
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

    @Test("Undoing a purge restores the quakes with their keys, values and ids") func undoOfPurge() throws {
        let before = try context.contents()
        let purge = try #require(try context.maintenance.purge(QuakeFilter(maximumMagnitude: 6)).transaction)
        #expect(try context.history.lastPurge() == purge)
        #expect(try context.undo(transaction: purge.number, dryRun: true).result.restored == 7)
        #expect(try context.fetchCount() == 5)
        let undo = try context.undo(transaction: purge.number)
        #expect(try undo.result.restored == 7 && context.contents() == before)
        #expect(try context.key(ofID: "ALT3") == 4)
        #expect(try context.history.changes(ofKey: 4).map(\.reason) == [.new, .purged, .undone])
        let redo = try context.undo(transaction: #require(undo.transaction).number)
        #expect(try redo.result.restored == 7 && context.fetchCount() == 5)
    }

    @Test("The purge that is undone by default is the newest one not already undone") func purgeInEffect() throws {
        let first = try #require(try context.maintenance.purge(QuakeFilter(maximumMagnitude: 2)).transaction)
        let second = try #require(try context.maintenance.purge(QuakeFilter(minimumMagnitude: 8)).transaction)
        #expect(try context.history.lastPurgeInEffect() == second)
        let undo = try #require(try context.undo(transaction: second.number).transaction)
        #expect(try context.history.undoInEffect(of: second.number) == undo.number)
        #expect(try context.history.lastPurgeInEffect() == first)
        try context.undo(transaction: undo.number)
        #expect(try context.history.lastPurgeInEffect() == second)
        try context.undo(transaction: second.number)
        try context.undo(transaction: first.number)
        #expect(try context.history.lastPurgeInEffect() == nil && context.history.lastPurge() == second)
    }

    @Test(
        "Undoing a purge of one quake fails if the quake has returned or its id is in use again",
        arguments: [ChangeReason.restored, .split])
    func returnedQuake(reason: ChangeReason) throws {
        let purge = try #require(try context.maintenance.purge(QuakeFilter(maximumMagnitude: 0)).transaction)
        let quake = Quake.coded("q0", mag: 8)
        try context.write { try $0.insert(quake, reason: reason, key: reason == .split ? nil : 1) }
        #expect(throws: StoreError.cannotUndo(transaction: purge.number, quakes: ["usq0"])) {
            try context.undo(transaction: purge.number)
        }
        _ = try context.history.trim(through: purge.number)
        for number in [purge.number, 99] {
            #expect(throws: StoreError.noTransaction(number)) { try context.undo(transaction: number) }
        }
    }

    @Test("Undoing a purge leaves quakes that have returned as they are and restores the others")
    func undoSkipsChangedQuakes() throws {
        try context.write { writer in
            for index in 12..<1047 { try writer.insert(Quake.coded("q\(index)", mag: 3), reason: .new) }
        }
        let before = try context.contents()
        let purge = try #require(try context.maintenance.purge(QuakeFilter()).transaction)
        // A feed lists ten quakes, half of them with other values.
        let returned = (1...10 as ClosedRange<Int64>).map(QuakeKey.init(_:))
        try context.write { writer in
            for key in returned {
                let quake = try #require(before[key])
                let isRevised = key.rawValue > 5
                try writer.insert(
                    quake.with { if isRevised { $0.magnitude = 9 } }, reason: .restored, key: key)
            }
        }
        let meanwhile = try context.contents()
        for dryRun in [true, false] {
            let undone = try context.undo(transaction: purge.number, dryRun: dryRun).result
            #expect(undone == UndoneQuakes(restored: 1037, leftAsTheyAre: 10))
        }
        #expect(try context.contents() == before.merging(meanwhile) { $1 })
        #expect(throws: StoreError.self) { try context.undo(transaction: purge.number) }
        #expect(try context.contents().count == 1047)
        #expect(try context.maintenance.verify(full: true).findings.isEmpty)
    }

    @Test("If every purged quake has returned, the undo fails and names all of them") func nothingLeft() throws {
        let before = try context.contents()
        let purge = try #require(try context.maintenance.purge(QuakeFilter()).transaction)
        try context.write { writer in
            for (key, quake) in before { try writer.insert(quake, reason: .restored, key: key) }
        }
        let ids = (0..<12).map { "usq\($0)" }
        #expect(throws: StoreError.cannotUndo(transaction: purge.number, quakes: ids)) {
            try context.undo(transaction: purge.number)
        }
    }

    enum Joint: CaseIterable {
        case merge, split, movedID, rename
    }

    /// The first two quakes are joined in the same transaction that changes the third. Then the first one changes.
    @Test(
        "Undo restores both quakes of a merge or split, or neither if one has changed since", arguments: Joint.allCases,
        [true, false])
    func joinedQuakes(joint: Joint, isTouched: Bool) throws {
        let quakes = try (1...3 as ClosedRange<Int64>).map { try #require(try context.quake(key: QuakeKey($0))) }
        let first = quakes[0]
        let second = quakes[1]
        let before = try context.contents()
        let joined = try context.write { writer in
            try writer.update(first, to: first.quake.with { $0.place = "there" }, reason: .revised)
            try writer.update(quakes[2], to: quakes[2].quake.with { $0.place = "there" }, reason: .revised)
            switch joint {
            case .merge: try writer.delete(second, reason: .merged, mergedInto: first.key)
            case .split: try writer.insert(Quake(sample: "alt0"), reason: .split)
            case .movedID:
                try writer.update(second, to: second.quake.with { $0.place = "there" }, reason: .revised)
                try writer.assign(alias: "alt0", to: second.key)
            case .rename:
                try writer.update(
                    StoredQuake(key: first.key, quake: first.quake.with { $0.place = "there" }),
                    to: first.quake.with { $0.code = "z" }, reason: .renamed)
                try writer.update(second, to: second.quake.with { $0.code = first.quake.code }, reason: .renamed)
            }
        }.transaction
        let number = try #require(joined).number
        if isTouched { try context.revise(first.key) { $0.magnitude = 9 } }
        let meanwhile = try context.contents()
        let undone = try context.undo(transaction: number).result
        #expect(undone == UndoneQuakes(restored: isTouched ? 1 : 3, leftAsTheyAre: isTouched ? 2 : 0))
        var expected = isTouched ? meanwhile : before
        expected[3] = before[3]
        #expect(try context.contents() == expected)
        #expect(try context.key(ofID: "alt0") == (isTouched ? [.split: 13, .movedID: 2][joint] ?? 1 : 1))
        #expect(try context.key(ofID: "usq1") == (isTouched && joint == .merge ? 1 : 2))
        #expect(try context.maintenance.verify(full: true).findings.isEmpty)
    }

    @Test("An editor's undo of a save restores nothing if one of the quakes cannot be restored") func wholeSave() throws
    {
        try editor.delete(where: QuakeFilter(maximumMagnitude: 1))
        try editor.save()
        let number = try context.history.currentToken().number
        let other = try QuakeContext(scratch.store, author: "other")
        try other.record(Quake.coded("q0", mag: 7), reason: .split)
        let contents = try context.contents()
        #expect(throws: StoreError.cannotUndo(transaction: number, quakes: ["usq0"])) { try editor.undo() }
        #expect(try context.contents() == contents)
        #expect(
            try context.undo(transaction: number).result == UndoneQuakes(restored: 1, leftAsTheyAre: 1))
    }

    /// Before, the first rename met the second quake's id, so the undo was refused for later changes that never were.
    @Test(
        "A save in which quakes took over each other's ids can be undone and redone",
        arguments: [
            (["us1", "nc5"], [["us1", "ci9"], ["nc5", "us1"]]),
            (["nc5", "us1"], [["us1", "ci9"], ["nc5", "us1"]]),
            (["us1", "nc5", "pr3"], [["us1", "ci9"], ["nc5", "us1"], ["ci9", "nc5"]]),
        ])
    func renamesInChain(ids: [String], renames: [[String]]) throws {
        for id in ids { try context.record(Quake(sample: id)) }
        let context = try QuakeContext(scratch.store)
        let editor = QuakeEditor(context)
        let before = try context.contents()
        for rename in renames {
            let visible = try editor.fetch()
            try editor.update(#require(visible.first { $0.quake.id == rename[0] }), to: Quake(sample: rename[1]))
        }
        try editor.save()
        let after = try context.contents()
        for _ in 0..<2 {
            for (expected, step) in [(before, editor.undo), (after, editor.redo)] {
                #expect(try step() != nil)
                #expect(try context.contents() == expected)
                for (key, quake) in expected { #expect(try context.key(ofID: quake.id) == key) }
                #expect(try context.maintenance.verify(full: true).findings.isEmpty)
            }
        }
    }

    @Test("A rename cannot be undone after another quake has taken the former id") func idTakenByOther() throws {
        for id in ["us1", "nc5"] { try context.record(Quake(sample: id)) }
        for (id, newID) in [("us1", "ci9"), ("nc5", "us1")] {
            try editor.update(#require(try context.quake(id: id)), to: Quake(sample: newID))
            try editor.save()
        }
        let contents = try context.contents()
        #expect(throws: StoreError.cannotUndo(transaction: 4, quakes: ["us1"])) {
            try context.undo(transaction: 4)
        }
        #expect(try context.contents() == contents)
    }

    @Test("Undoing a split returns the id to the original quake even if the split-off quake is gone")
    func shortLivedQuake() throws {
        try context.write { writer in
            let quake = Quake(sample: "alt3")
            let key = try writer.insert(quake, reason: .split)
            try writer.delete(StoredQuake(key: key, quake: quake), reason: .retracted)
        }
        let split = try context.history.currentToken()
        for (key, step) in [(QuakeKey(4), editor.undo), (13, editor.redo), (4, editor.undo)] {
            #expect(try step() != nil && context.key(ofID: "alt3") == key)
        }
        try context.pin(to: .token(split))
        #expect(try context.key(ofID: "alt3") == 13)
    }

    @Test("Two undos in a row succeed even if the first one does not restore a quake's title") func titleOutlivesUndo()
        throws
    {
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
            #expect(try editor.undo() != nil && context.quake(key: 1)?.quake.magnitude == magnitude)
        }
    }

    @Test("A change undone before a save can be redone after the save") func redoAfterSave() throws {
        try editor.insert(Quake.coded("a"))
        let pending = try #require(try editor.insertedQuakes.first)
        try editor.update(pending, to: pending.quake.with { $0.magnitude = 5 })
        try editor.undo()
        try editor.save()
        try editor.redo()
        #expect(try editor.changedQuakes.map(\.quake.magnitude) == [5])
    }

    // Proves feature E6 of seeds.md.
    @Test("Undo reverts unsaved changes first, then earlier saves, and redo repeats them") func pendingThenSaved()
        throws
    {
        let context = try QuakeContext(scratch.store)
        let editor = QuakeEditor(context)
        for value in [1.0, 2] { try context.save(Quake.coded("a", mag: value)) }
        try editor.insert(Quake.coded("a", mag: 3))
        #expect(try editor.undo() == nil && !editor.hasChanges)
        #expect(try editor.redo() == nil && editor.hasChanges)
        try editor.undo()

        func magnitude() throws -> Double? { try context.quake(id: "usa")?.quake.magnitude }
        try editor.undo()
        #expect(try magnitude() == 1)
        try editor.undo()
        #expect(try context.fetchCount() == 12)
        #expect(try editor.undo() == nil)
        try editor.redo()
        #expect(try magnitude() == 1)
        try editor.redo()
        #expect(try magnitude() == 2)
        #expect(try editor.redo() == nil)
        #expect(try editor.insertedQuakes.isEmpty && editor.changedQuakes.map(\.quake.magnitude) == [3])
        try editor.undo()
        try editor.undo()
        try editor.insert(Quake.coded("b"))
        try editor.undo()
        #expect(try editor.redo() == nil, "a new change leaves nothing to redo but itself")
        #expect(try editor.insertedQuakes.map(\.quake.code) == ["b"])
    }
}
