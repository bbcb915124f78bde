import QuakeEditing
import QuakeStore
import QuakeTestSupport
import Testing

// Proves features E3, E4 and E7 of seeds.md.
@Suite("Pending changes that later ones supersede", .scratch) final class SupersededChangeTests: SuiteWithCache {
    private let other: QuakeEditor

    override init() throws {
        let (scratch, context) = try ScratchStore.ofTest()
        other = QuakeEditor(try QuakeContext(scratch.store, author: "other"))
        try context.save(.sample("us1", magnitude: 4), .sample("us2", magnitude: 4))
        try super.init()
    }

    /// A quake with the editor's pending changes.
    private func quake(_ id: String = "us1") throws -> StoredQuake { try #require(try editor.quake(id: id)) }

    private func saveByOther(_ id: String = "us1", magnitude: Double?) throws {
        let stored = try #require(try context.quake(id: id))
        if let magnitude { try other.update(stored) { $0.magnitude = magnitude } } else { try other.delete(stored) }
        try other.save()
    }

    private func rename(_ id: String, to new: String) throws {
        try editor.update(quake(id)) { ($0.code, $0.ids) = (String(new.dropFirst(2)), PublishedSet(members: [new])) }
    }

    private func magnitudes() throws -> [Double?] {
        try context.fetch().sorted { $0.key < $1.key }.map(\.quake.magnitude)
    }

    @Test(
        "A change that was taken back leaves another writer's value as it is, without a conflict",
        arguments: [ConflictPolicy.fail, .lastWriterWins])
    func takenBackChange(policy: ConflictPolicy) throws {
        editor.conflictPolicy = policy
        for magnitude in [5.0, 6, 4] { try editor.update(quake()) { $0.magnitude = magnitude } }
        try editor.update(quake()) { $0.place = "here" }
        try saveByOther(magnitude: 6)
        #expect(try quake().quake.magnitude == 6)
        let entry = try #require(try editor.save())
        #expect(try context.history.changes(ofTransaction: entry.number).first?.changed == [.place])
        #expect(try magnitudes() == [6, 4])
    }

    @Test("An update of another writer's value to the first one is no return") func updateOfNewValue() throws {
        editor.conflictPolicy = .fail
        try editor.update(quake()) { $0.magnitude = 5 }
        try saveByOther(magnitude: 6)
        try editor.update(#require(try context.quake(id: "us1"))) { $0.magnitude = 4 }
        try editor.save()
        #expect(try magnitudes() == [4, 4])
    }

    @Test("A change of an inserted value that was taken back leaves the inserted value") func insertedValue() throws {
        try editor.update(quake()) { $0.magnitude = 5 }
        try editor.insert(.sample("us1", magnitude: 7))
        try editor.update(quake()) { $0.magnitude = 8 }
        try editor.update(quake()) { $0.magnitude = 7 }
        try saveByOther(magnitude: 6)
        try editor.save()
        #expect(try magnitudes() == [7, 4])
        try editor.update(quake()) { $0.magnitude = 8 }
        try editor.insert(.sample("us1", magnitude: 5))
        try editor.update(quake()) { $0.magnitude = 7 }
        try editor.save()
        #expect(try magnitudes() == [7, 4])
    }

    @Test("A change taken back and then made again from the pending value counts again") func repeatedChange() throws {
        editor.conflictPolicy = .fail
        try editor.update(quake()) { $0.magnitude = 5 }
        let pending = try quake()
        try editor.update(pending) { $0.magnitude = 4 }
        try editor.update(pending) { $0.magnitude = 7 }
        try saveByOther(magnitude: 6)
        #expect(throws: StoreError.conflict(quakes: ["us1": [.mag]])) { try editor.save() }
        try editor.update(pending) { $0.magnitude = 4 }
        try editor.update(quake()) { $0.magnitude = 5 }
        try editor.save()
        #expect(try magnitudes() == [5, 4])
    }

    @Test("An update of a quake that is gone does not matter once the quake is deleted or inserted again")
    func updateOfGoneQuake() throws {
        let stored = try [quake("us1"), quake("us2")]
        for quake in stored { try editor.update(quake) { $0.magnitude = 5 } }
        for id in ["us1", "us2"] { try saveByOther(id, magnitude: nil) }
        #expect(throws: StoreError.gone(id: "us1", key: 1)) { try editor.save() }
        try editor.delete(stored[0])
        #expect(throws: StoreError.gone(id: "us2", key: 2)) { try editor.save() }
        try editor.insert(.sample("us2", magnitude: 6))
        try editor.save()
        #expect(try context.fetch() == [StoredQuake(key: 2, quake: .sample("us2", magnitude: 6))])
    }

    @Test("An update of a quake whose deletion is pending is refused at the call") func updateAfterDeletion() throws {
        let stored = try quake()
        try editor.delete(stored)
        let pending = editor.pendingChanges
        #expect(throws: StoreError.gone(id: "us1", key: 1)) { try editor.update(stored) { $0.magnitude = 5 } }
        #expect(editor.pendingChanges == pending)
        try editor.undo()
        try editor.update(stored) { $0.magnitude = 5 }
        try editor.delete(stored)
        try editor.insert(.sample("us1", magnitude: 6))
        try editor.update(stored) { $0.place = "here" }
        try editor.insert(.sample("us3"))
        let new = try quake("us3")
        try editor.delete(new)
        #expect(throws: StoreError.gone(id: "us3", key: new.key)) { try editor.update(new) { $0.magnitude = 5 } }
        try editor.save()
        #expect(try quake().quake.place == "here" && magnitudes() == [6, 4])
        try editor.update(stored) { $0.magnitude = 7 }
    }

    @Test("An update of a quake whose deletion was redone after a save is refused at the call")
    func updateAfterRedoneDeletion() throws {
        try editor.insert(.sample("us3"))
        let new = try quake("us3")
        try editor.delete(where: QuakeFilter())
        try editor.undo()
        try editor.save()
        try editor.redo()
        let pending = editor.pendingChanges
        for stored in try context.fetch() + [new] {
            let gone = StoreError.gone(id: stored.quake.id, key: stored.isTemporary ? 3 : stored.key)
            #expect(throws: gone) { try editor.update(stored) { $0.magnitude = 5 } }
        }
        #expect(editor.pendingChanges == pending && pending.count == 3)
        try editor.save()
        #expect(try context.fetchCount() == 0)
    }

    @Test("A deleted quake inserted again keeps its key, although its id was another's meanwhile") func passedID()
        throws
    {
        let before = try context.fetch()
        try editor.delete(quake("us1"))
        try rename("us2", to: "us1")
        try rename("us1", to: "us2")
        try editor.insert(.sample("us1", magnitude: 4))
        #expect(try editor.insertedQuakes.isEmpty && editor.deletedQuakes.isEmpty && editor.fetch() == before)
        #expect(try editor.save() == nil)
    }

    @Test("If two quakes would have the same id, reads show both, and the save fails until one gives it up")
    func sharedID() throws {
        try editor.insert(.sample("us3"))
        try rename("us1", to: "us2")
        try editor.insert(.sample("us4"))
        #expect(try editor.fetch().map(\.quake.id).sorted() == ["us2", "us2", "us3", "us4"])
        #expect(try editor.changedQuakes.map(\.key) == [1] && editor.insertedQuakes.count == 2)
        #expect(throws: StoreError.idTaken(id: "us2", key: 2)) { try editor.save() }
        let second = try #require(try editor.quake(key: 2))
        try editor.update(second) { ($0.code, $0.ids) = ("1", PublishedSet(members: ["us1"])) }
        try editor.save()
        #expect(try context.fetch().sorted { $0.key < $1.key }.map(\.quake.id) == ["us2", "us1", "us3", "us4"])
        #expect(try context.maintenance.verify(full: true).isSound)
    }

    @Test("A pending rename to the id of an inserted quake, in any case, makes the save fail") func idOfInsertion()
        throws
    {
        try editor.insert(.sample("us3"))
        try editor.update(quake()) { ($0.net, $0.code) = ("US", "3") }
        #expect(throws: StoreError.self) { try editor.save() }
        try editor.update(#require(try editor.quake(key: 1))) { $0.code = "5" }
        try editor.save()
        #expect(try Set(context.fetch().map(\.quake.id)) == ["US5", "us2", "us3"])
    }

    @Test("In a pinned context, an update can use an id that is free in the newest state") func idInPinnedContext()
        throws
    {
        try context.pin(to: .current)
        try saveByOther("us2", magnitude: nil)
        try rename("us1", to: "us2")
        try editor.save()
        #expect(try context.fetch().map(\.quake.id) == ["us2"])
    }

    @Test("With .fail, an update of values fetched before the editor's own earlier save is a conflict")
    func ownEarlierSave() throws {
        editor.conflictPolicy = .fail
        let stored = try quake()
        try editor.update(stored) { $0.magnitude = 5 }
        try editor.save()
        try editor.update(stored) { $0.magnitude = 6 }
        let error = #expect(throws: StoreError.conflict(quakes: ["us1": [.mag]])) { try editor.save() }
        #expect(error?.errorDescription == "Nothing was saved, because us1 (mag) changed after being fetched.")
        editor.rollback()
        try editor.update(quake()) { $0.magnitude = 6 }
        try editor.save()
    }
}
