import QuakeEditing
import QuakeStore
import QuakeTestSupport
import Testing

// Proves feature E4 of seeds.md.
@Suite("Net effects of a save", .scratch) final class NetEffectTests: SuiteWithCache {
    private func fetched(_ id: String) throws -> StoredQuake {
        try #require(try editor.fetch().first { $0.quake.id == id })
    }

    @Test(
        "Pending changes that cancel out add nothing to the history, and nobody is notified",
        arguments: ["insertion", "change", "deletion", "insertion of the same", "return"])
    func cancellation(of change: String) async throws {
        try context.save(.sample("us1", magnitude: 4), .sample("us2"))
        try editor.delete(fetched("us2"))
        try editor.save()
        let head = try context.history.currentToken()
        let saves = editor.didSaveStream()
        editor.onWillSave = { _ in Issue.record("nothing will be saved") }
        switch change {
        case "insertion":
            try editor.insert(.sample("usnew", magnitude: 8.1))
            try editor.delete(fetched("usnew"))
        case "change":
            try editor.update(fetched("us1")) { $0.magnitude = 9 }
            try editor.update(fetched("us1")) { $0.magnitude = 4 }
        case "deletion":
            try editor.delete(fetched("us1"))
            try editor.insert(.sample("us1", magnitude: 4))
        case "insertion of the same": try editor.insert(.sample("us1", magnitude: 4))
        default:
            try editor.insert(.sample("us2", magnitude: 9))
            try editor.delete(fetched("us2"))
        }
        #expect(editor.hasChanges)
        #expect(try editor.insertedQuakes.isEmpty && editor.changedQuakes.isEmpty && editor.deletedQuakes.isEmpty)
        #expect(try editor.save() == nil && !editor.hasChanges)
        #expect(try context.history.currentToken() == head)
        editor.onWillSave = nil
        try editor.insert(.sample("us3"))
        try editor.save()
        var first = saves.makeAsyncIterator()
        #expect(await first.next()?.transaction.number.rawValue == head.number.rawValue + 1)
    }

    @Test("A deletion followed by an insertion with the same id and other values is saved as one update")
    func replacement() throws {
        try context.save(.sample("us1", magnitude: 4))
        let old = try fetched("us1")
        try editor.delete(old)
        try editor.insert(.sample("us1", magnitude: 5))
        #expect(try editor.changedQuakes.map(\.key) == [old.key])
        let entry = try #require(try editor.save())
        #expect(entry.counts == HistoryTransaction.Counts(inserted: 0, updated: 1, deleted: 0))
        let change = try #require(try context.history.changes(ofKey: old.key).last)
        #expect(change.effect == .update(before: old.quake, after: .sample("us1", magnitude: 5), changed: [.mag]))
        #expect(change.reason == .edited)
    }

    @Test("A save records one change for each quake, however often it was edited") func severalEdits() throws {
        try context.save(.sample("us1", magnitude: 4), .sample("us2"))
        for magnitude in [5.0, 6, 7] { try editor.update(fetched("us1")) { $0.magnitude = magnitude } }
        try editor.insert(.sample("us3", magnitude: 1))
        try editor.update(fetched("us3")) { $0.magnitude = 2 }
        try editor.update(fetched("us2")) { $0.magnitude = 9 }
        try editor.delete(fetched("us2"))
        try editor.save()
        let changes = try context.relevantChanges(HistoryDescriptor(start: .transaction(1))).map(\.change)
        #expect(changes.map(\.kind) == [.delete, .update, .insert])
        #expect(changes.map { $0.before?.magnitude } == [4.6, 4, nil])
        #expect(changes.map { $0.after?.magnitude } == [nil, 7, 2])
        try editor.undo()
        #expect(try context.fetch(QuakeDescriptor(sortBy: .magnitude)).map(\.quake.magnitude) == [4.6, 4])
    }

    @Test("An id that pending changes gave and took back leads where it led before") func passingIDs() throws {
        try context.save(.sample("us1").with { $0.ids = PublishedSet(members: ["us1", "us2"]) })
        try editor.insert(.sample("us2"))
        try editor.delete(fetched("us2"))
        try editor.insert(.sample("ci1").with { $0.ids = PublishedSet(members: ["ci1", "at9"]) })
        try editor.delete(fetched("ci1"))
        try editor.insert(.sample("ci5").with { $0.ids = PublishedSet(members: ["ci5", "at9"]) })
        try editor.update(fetched("ci5")) { $0.code = "6" }
        try editor.update(fetched("ci6")) { $0.code = "7" }
        func check() throws {
            #expect(try editor.quake(id: "us2")?.quake.id == "us1")
            #expect(try editor.quake(id: "at9")?.quake.id == "ci7")
            #expect(try editor.quake(id: "ci6") == nil && editor.quake(id: "ci1") == nil)
        }
        try check()
        try editor.save()
        try check()
        #expect(try context.fetch().count == 2 && context.maintenance.verify(full: true).isSound)
    }

    @Test("Quakes that exchange their ids are saved as one rename each, and undone") func exchangedIDs() throws {
        try context.save(.sample("us1", magnitude: 1), .sample("us2", magnitude: 2))
        let before = try context.contents()
        for (id, code) in [("us1", "9"), ("us2", "1"), ("us9", "2")] {
            try editor.update(fetched(id)) { ($0.code, $0.ids) = (code, PublishedSet(members: ["us" + code])) }
        }
        let pending = try editor.fetch()
        try editor.save()
        #expect(try context.fetch() == pending && context.quake(id: "us9") == nil)
        #expect(try context.quake(id: "us1")?.quake.magnitude == 2)
        for key in [QuakeKey(1), 2] {
            #expect(try context.history.changes(ofKey: key).map(\.reason) == [.edited, .renamed])
        }
        try editor.undo()
        #expect(try context.contents() == before && context.maintenance.verify(full: true).isSound)
    }

    @Test("delete(where:) deletes the quakes that match at the time of the call, pending ones too") func deletedAtCall()
        throws
    {
        try context.save(.sample("us1", magnitude: 1), .sample("us5", magnitude: 5))
        try editor.insert(.sample("us2", magnitude: 2))
        try editor.update(fetched("us5")) { $0.magnitude = 3 }
        try editor.delete(where: QuakeFilter(maximumMagnitude: 3))
        let other = try QuakeContext(scratch.store, author: "other")
        try other.save(.sample("us3", magnitude: 3))
        try editor.insert(.sample("us4", magnitude: 2.5))
        try editor.save()
        #expect(try context.fetch().map(\.quake.id).sorted() == ["us3", "us4"])
    }
}
