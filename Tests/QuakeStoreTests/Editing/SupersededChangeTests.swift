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
}
