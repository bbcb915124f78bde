import QuakeEditing
import QuakeStore
import QuakeTestSupport
import Testing

@Suite("Identity of saved quakes", .scratch) final class SavedIdentityTests: SuiteWithCache {
    private func quake(_ id: String, ids: String? = nil, mag: Double = 4) -> Quake {
        var quake = Quake(sample: id, magnitude: mag)
        if let ids { quake.ids = PublishedSet(ids) }
        return quake
    }

    @Test("Two quakes saved together are not merged, even if one lists the other's id") func twoQuakesStayTwo() throws {
        for _ in 0..<2 {
            try context.save(quake("at1", ids: ",at1,us7,"), quake("us7"))
            #expect(try context.fetch().map(\.quake.id).sorted() == ["at1", "us7"])
            #expect(try context.quake(id: "us7")?.quake.id == "us7")
        }
        #expect(try context.history.transactions(after: 0).count == 1)
    }

    // Proves feature A1 of seeds.md.
    @Test("If two quakes with the same id are inserted together, the second one is saved") func lastOfSameID() throws {
        try context.save(quake("us1", mag: 3), quake("US1", ids: ",US1,ci5,", mag: 5))
        #expect(try context.fetch().map(\.quake.magnitude) == [5])
        #expect(try context.key(ofID: "ci5") == 1)
    }

    @Test("Inserting a quake under an id that another quake merely lists creates a separate quake") func splitID()
        throws
    {
        try context.save(quake("us1", ids: ",us1,us2,"))
        try context.save(quake("us2"))
        #expect(try context.key(ofID: "us2") == 2)
        #expect(try context.history.changes(ofKey: 2).map(\.reason) == [.split])
    }

    @Test("Reinserting a deleted quake by its preferred id restores it under its old local key")
    func deletedQuakeReturns() throws {
        try context.save(quake("us1", ids: ",us1,ci2,"))
        try editor.delete(#require(try context.quake(key: 1)))
        try editor.save()
        try context.save(quake("ci2"), quake("us1"))
        #expect(try context.fetch().map(\.key).sorted() == [1, 2])
        #expect(try context.history.changes(ofKey: 1).map(\.reason) == [.edited, .edited, .restored])
    }

    @Test("A deleted quake is not restored by a new quake that shares only a secondary id with it") func sharedThirdID()
        throws
    {
        try context.save(quake("us1", ids: ",us1,at9,"))
        try editor.delete(#require(try context.quake(key: 1)))
        try editor.insert(quake("ci2", ids: ",ci2,at9,"))
        #expect(try editor.insertedQuakes.map(\.key) != [1])
        try editor.save()
        #expect(try context.fetch().map(\.key) == [2])
        #expect(try context.key(ofID: "us1") == 1 && context.key(ofID: "at9") == 1)
    }

    @Test("Updating a quake's id renames the quake, and both ids find it") func rename() throws {
        try context.save(quake("us1"))
        let stored = try #require(try context.quake(id: "us1"))
        try editor.update(stored, to: quake("ci9"))
        try editor.save()
        #expect(try context.key(ofID: "ci9") == 1 && context.key(ofID: "us1") == 1)
        #expect(try context.aliases(ofKey: 1) == ["ci9", "us1"])
        #expect(try context.history.changes(ofKey: 1).map(\.reason) == [.edited, .renamed])
    }

    @Test("Changing a quake's id to the id of another quake is rejected") func idTaken() throws {
        try context.save(quake("us1"), quake("us3"))
        let stored = try #require(try context.quake(id: "us1"))
        #expect(throws: StoreError.idTaken(id: "us3", key: 2)) {
            try editor.update(stored, to: quake("us3"))
        }
        #expect(!editor.hasChanges)
        #expect(try context.fetch().map(\.quake.id) == ["us1", "us3"])
    }

    // Proves feature A1 of seeds.md.
    @Test("A value that cannot be stored exactly is rejected with an error naming its property") func unstorableValues()
        throws
    {
        try context.save(quake("us1"))
        let stored = try #require(try context.quake(key: 1))
        let faults: [(QuakeProperty, String, (inout Quake) -> Void)] = [
            (.mag, "nan", { $0.magnitude = .nan }), (.depth, "inf", { $0.hypocenter.depthKilometers = .infinity }),
            (.lat, "-inf", { $0.hypocenter.latitude = -.infinity }), (.gap, "nan", { $0.azimuthalGapDegrees = .nan }),
            (.code, "a b", { $0.code = "a b" }), (.net, "", { $0.net = "" }),
            (.ids, "us2", { $0.ids = PublishedSet(canonical: "us2") }), (.extra, "[1]", { $0.extra = "[1]" }),
            (.time, "9223372036854775807", { $0.originTime = Timestamp(milliseconds: .max) }),
        ]
        for (property, value, spoil) in faults {
            let bad = stored.quake.with(spoil)
            let error = StoreError.unstorable(id: bad.id, property: property, value: value)
            #expect(throws: error) { try editor.insert(bad) }
            #expect(throws: error) { try editor.update(stored, to: bad) }
            #expect(throws: error) { try context.write { writer in try writer.insert(bad, reason: .new) } }
        }
        #expect(!editor.hasChanges)
        #expect(try context.relevantChanges().count == 1)
        let error = StoreError.unstorable(id: "us1", property: .mag, value: "nan")
        #expect(error.errorDescription == "The quake us1 cannot be stored: its mag is nan.")
    }

    @Test("Empty text, control characters, emoji and combining accents are stored exactly") func exactText() throws {
        let texts = ["", "\u{1}\"\\\n", "P\u{101}hala 🌋", "e\u{301}"]
        for (index, text) in texts.enumerated() {
            try editor.insert(quake("us\(index)").with { $0.place = text })
        }
        try editor.save()
        for stored in try context.fetch() {
            try editor.update(stored, to: stored.quake.with { $0.place = nil })
        }
        try editor.save()
        for stored in try context.fetch() { try editor.delete(stored) }
        try editor.save()
        let updates = try context.relevantChanges().filter { $0.change.kind == .update }
        let places = updates.map { Array(($0.change.before?.place ?? "missing").utf8) }
        #expect(places.count == texts.count)
        for text in texts { #expect(places.contains(Array(text.utf8)), "\(text.debugDescription)") }
    }
}
