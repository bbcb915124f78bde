import QuakeEditing
import QuakeStore
import QuakeTestSupport
import Testing

// Proves feature E7 of seeds.md.
@Suite("Conflicts of an editor with other writers", .scratch) final class ConflictTests: SuiteWithCache {
    private let other: QuakeEditor

    override init() throws {
        let (scratch, context) = try ScratchStore.ofTest()
        other = QuakeEditor(try QuakeContext(scratch.store, author: "other"))
        try context.save(.sample("us1", magnitude: 4), .sample("us2", magnitude: 4))
        try super.init()
        editor.conflictPolicy = .fail
    }

    private func quake(_ id: String = "us1") throws -> StoredQuake { try #require(try context.quake(id: id)) }

    private func editByOther(_ id: String = "us1", _ change: (inout Quake) -> Void) throws {
        try other.update(quake(id), change)
        try other.save()
    }

    @Test("With .fail, a save over another writer's values throws an error that names quakes and properties")
    func changedProperties() throws {
        for id in ["us1", "us2"] { try editor.update(quake(id)) { ($0.magnitude, $0.eventType) = (5, "explosion") } }
        try editor.insert(.sample("us3"))
        try editByOther { ($0.magnitude, $0.place) = (6, "there") }
        try editByOther("us2") { ($0.magnitude, $0.eventType) = (7, "quarry blast") }
        let contents = try context.contents()
        let pending = editor.pendingChanges
        let error = StoreError.conflict(quakes: ["us1": [.mag], "us2": [.mag, .type]])
        #expect(throws: error) { try editor.save() }
        #expect(
            error.errorDescription
                == "Nothing was saved, because us1 (mag), us2 (mag, type) changed after being fetched.")
        #expect(try editor.pendingChanges == pending && context.contents() == contents)
        #expect(throws: error) { try editor.transaction { try editor.insert(.sample("us4")) } }
        #expect(editor.pendingChanges == pending)

        editor.conflictPolicy = .lastWriterWins
        try editor.save()
        #expect(try [quake(), quake("us2")].map(\.quake.magnitude) == [5, 5])
        #expect(try quake().quake.place == "there" && context.fetchCount() == 3)
    }

    @Test("Another writer's change to another property, or to the same value, is no conflict") func compatibleChanges()
        throws
    {
        try editor.update(quake()) { ($0.magnitude, $0.eventType) = (5, "explosion") }
        try editByOther { ($0.magnitude, $0.place) = (5, "there") }
        try editByOther("us2") { $0.magnitude = 6 }
        let entry = try editor.save()
        #expect(entry?.counts.updated == 1)
        #expect(try context.relevantChanges().last?.change.changed == [.type])
    }

    @Test("A pending change that was taken back does not overwrite another writer's value") func takenBack() throws {
        editor.conflictPolicy = .lastWriterWins
        try editor.update(quake()) { ($0.magnitude, $0.eventType) = (5, "explosion") }
        let pending = try #require(try editor.fetch().first { $0.quake.id == "us1" })
        try editor.update(pending) { $0.magnitude = 4 }
        try editByOther { $0.magnitude = 6 }
        try editor.save()
        #expect(try quake().quake.magnitude == 6 && quake().quake.eventType == "explosion")
    }

    @Test("A value that another writer changed and changed back is no conflict") func revertedChange() throws {
        try editor.update(quake()) { $0.magnitude = 5 }
        for magnitude in [6.0, 4] { try editByOther { $0.magnitude = magnitude } }
        try editor.save()
        #expect(try quake().quake.magnitude == 5)
    }

    @Test("The deletion of a quake that another writer has changed or re-created is a conflict")
    func deletionOfChangedQuake() throws {
        for id in ["us1", "us2"] { try editor.delete(quake(id)) }
        try editByOther { $0.place = "there" }
        let second = try quake("us2")
        try other.delete(second)
        try other.save()
        try other.insert(.sample("us2", magnitude: 3))
        try other.save()
        let error = StoreError.conflict(quakes: ["us1": [.place], "us2": [.mag]])
        #expect(throws: error) { try editor.save() }
        #expect(editor.pendingChanges.count == 2)
        editor.rollback()
        for id in ["us1", "us2"] { try editor.delete(quake(id)) }
        try editor.save()
        #expect(try context.fetchCount() == 0)
    }

    @Test("A quake that both writers deleted is no conflict, but an update of a deleted quake still fails")
    func deletionByBoth() throws {
        let (first, second) = (try quake(), try quake("us2"))
        try editor.delete(first)
        try other.delete(where: QuakeFilter())
        try other.save()
        #expect(try editor.save() == nil)
        try editor.update(second) { $0.magnitude = 5 }
        #expect(throws: StoreError.gone(id: "us2", key: second.key)) { try editor.save() }
    }

    @Test("An insertion replaces another writer's values without a conflict") func insertion() throws {
        try editor.insert(.sample("us1", magnitude: 5))
        try editor.update(quake("us2")) { $0.magnitude = 5 }
        try editor.insert(.sample("us2", magnitude: 6))
        for id in ["us1", "us2"] { try editByOther(id) { ($0.magnitude, $0.place) = (7, "there") } }
        try editor.save()
        #expect(
            try [quake(), quake("us2")].map(\.quake) == [.sample("us1", magnitude: 5), .sample("us2", magnitude: 6)])
    }

    @Test("Several pending updates of one quake, from old or pending values, are no conflict among themselves")
    func ownValues() throws {
        let stored = try quake()
        try editor.update(stored) { $0.magnitude = 5 }
        let pending = try #require(try editor.quake(key: stored.key))
        for magnitude in [6.0, 7] { try editor.update(pending) { $0.magnitude = magnitude } }
        try editor.update(stored) { $0.magnitude = 8 }
        try editor.delete(pending)
        try editor.save()
        #expect(try context.fetch().map(\.quake.id) == ["us2"])
    }

    @Test("An update from the other writer's value settles the conflict over it") func updateFromNewValue() throws {
        try editor.update(quake()) { ($0.magnitude, $0.place) = (5, "here") }
        try editByOther { ($0.magnitude, $0.place) = (6, "there") }
        try editor.update(quake()) { $0.magnitude = 7 }
        #expect(throws: StoreError.conflict(quakes: ["us1": [.place]])) { try editor.save() }
        try editor.update(quake()) { $0.place = "elsewhere" }
        try editor.save()
        #expect(try quake().quake.magnitude == 7 && quake().quake.place == "elsewhere")
    }

    @Test("A pinned context's save compares with the newest state") func pinnedContext() throws {
        try context.pin(to: .current)
        try other.update(quake()) { $0.magnitude = 6 }
        try other.save()
        try editor.update(quake()) { $0.magnitude = 5 }
        #expect(throws: StoreError.conflict(quakes: ["us1": [.mag]])) { try editor.save() }
        #expect(try quake().quake.magnitude == 4)
    }
}
