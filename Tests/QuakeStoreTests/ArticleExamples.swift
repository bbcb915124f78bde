import QuakeEditing
import QuakeStore
import QuakeTestSupport
import Testing

/// The code in the articles, in the same order, with each block placed inside the code that it needs.
@Suite("Examples in the DocC articles", .scratch) final class ArticleExamples: SuiteWithCache {
    @Test("The code in the DocC article KeepingACopy runs and stores the expected quakes") func keepingACopy() throws {
        let path = scratch.path + ".new"
        let other = Quake.coded("other", mag: 2)
        // KeepingACopy
        let store = QuakeCache(path: path)
        let context = try QuakeContext(store, author: "org.example.importer", access: .creating)
        let editor = QuakeEditor(context)

        var quake = Quake(
            net: "us", code: "7000abcd", originTime: Timestamp(milliseconds: 1_700_000_000_000),
            updated: Timestamp(milliseconds: 1_700_000_900_000),
            hypocenter: Hypocenter(longitude: -155.29, latitude: 19.42, depthKilometers: 4))
        quake.magnitude = 4.5
        quake.place = "8 km SW of Volcano, Hawaii"
        try editor.insert(quake)
        try editor.save()
        // KeepingACopy
        quake.magnitude = 4.6
        try editor.insert(quake)
        let entry = try editor.save()
        // KeepingACopy
        let strong = QuakeFilter(minimumMagnitude: 4.5)
        let largest = try context.fetch(QuakeDescriptor(filter: strong, sortBy: .magnitude, limit: 10))
        let known = try context.quake(id: "US7000ABCD")

        var count = 0
        try context.enumerate(QuakeDescriptor(filter: strong), batchSize: 500) { count += $0.count }
        // KeepingACopy
        let descriptor = QuakeDescriptor(filter: strong, sortBy: .magnitude)
        var (quakes, token) = try context.snapshot {
            (try context.fetch(descriptor), try context.history.currentToken())
        }
        token = try context.merge(after: token, into: &quakes, fetchedBy: descriptor)
        #expect(try quakes == largest && token == context.history.currentToken())
        // KeepingACopy
        try editor.insert(other)
        let pending = try editor.fetch()
        let new = try editor.insertedQuakes
        editor.rollback()
        #expect(pending.count == 2 && new.map(\.quake) == [other] && !editor.hasChanges)
        // KeepingACopy
        try editor.insert(other)
        try editor.delete(where: QuakeFilter(maximumMagnitude: 0))
        try editor.save(TransactionOrigin(purpose: "import"))
        #expect(entry?.number == 2)
        #expect(largest.count == 1 && known == largest.first && count == 1)
        #expect(try Set(context.fetch().map(\.quake)) == [other, quake])
        // KeepingACopy
        try context.maintenance.purge(strong, purpose: "spring cleaning")
        let purge = try context.history.lastPurge()
        if let purge {
            let undone = try context.undo(transaction: purge.number)
            print("\(undone.result.restored) quakes are back")
        }
        #expect(try Set(context.fetch().map(\.quake)) == [other, quake])
    }

    // Proves feature D1 of seeds.md.
    @Test("The code in the DocC article FollowingChanges runs and keeps a copy up to date") func followingChanges()
        async throws
    {
        let context = try QuakeContext(scratch.store, author: "org.example.editor")
        let editor = QuakeEditor(context)
        try editor.transaction {
            for magnitude in 3...6 {
                try editor.insert(Quake.coded("q\(magnitude)", mag: Double(magnitude)))
            }
        }
        // FollowingChanges
        var copy: [QuakeKey: Quake] = [:]
        var bookmark: HistoryToken?

        func apply(_ event: HistoryEvent) {
            switch event {
            case .dropEverything: copy.removeAll()
            case .resync(let resynced): copy[resynced.stored.key] = resynced.stored.quake
            case .change(let relevant): copy[relevant.change.quakeKey] = relevant.change.after
            case .end(let end): bookmark = end.token
            }
        }

        func synchronize() throws {
            try context.history.fetch(HistoryDescriptor(after: bookmark)) { apply($0) }
        }
        try synchronize()
        #expect(try copy == context.contents())
        bookmark = HistoryToken(storeID: "0000000000000", number: 1, fingerprint: 1)
        copy[99] = Quake.coded("stale")
        try synchronize()
        #expect(try copy == context.contents())
        // FollowingChanges
        var descriptor = HistoryDescriptor(start: .beginning)
        descriptor.filter.minimumMagnitude = 4.5
        descriptor.changedProperties = QuakeProperty.Group.source.properties
        descriptor.excludedAuthors = ["org.example.importer"]
        var operations: [RelevantChange.Operation] = []
        try context.history.fetch(descriptor) { event in
            if case .change(let relevant) = event { operations.append(relevant.operation) }
        }
        #expect(operations == [.insert, .insert])
        // FollowingChanges
        let token = try context.history.currentToken()
        try context.history.acknowledge(token, for: "alarm")
        let last = try context.history.consumer(named: "alarm")?.token
        #expect(last == token)
        let quake = Quake.coded("another")
        // FollowingChanges
        let saves = editor.didSaveStream()
        try editor.insert(quake)
        try editor.save()
        for await saved in saves {
            print("transaction \(saved.transaction.number): \(saved.inserted.count) new")
            break
        }
        let other = try QuakeContext(scratch.store)
        let otherEditor = QuakeEditor(other)
        try otherEditor.insert(Quake.coded("remote"))
        let entry = try #require(try otherEditor.save())
        // FollowingChanges
        for try await batch in context.remoteChanges(after: bookmark) {
            for event in batch.events { apply(event) }
            break
        }
        #expect(copy.values.contains { $0.id == "usremote" } && !copy.values.contains { $0.id == quake.id })
        #expect(bookmark == entry.token)
    }

    @Test("The code in the DocC article EditingAndUndo runs, and undo restores the deleted quakes")
    func editingAndUndo() throws {
        let context = try QuakeContext(scratch.store)
        let editor = QuakeEditor(context)
        try editor.transaction {
            for code in ["7000abcd", "7000abcf"] { try editor.insert(Quake.coded(code)) }
        }
        // EditingAndUndo
        var new = Quake(
            net: "us", code: "7000abce", originTime: Timestamp(milliseconds: 1_700_000_000_000),
            updated: Timestamp(milliseconds: 1_700_000_900_000),
            hypocenter: Hypocenter(longitude: -155.29, latitude: 19.42, depthKilometers: 4))
        new.magnitude = 7
        try editor.insert(new)
        if let stored = try context.quake(id: "us7000abcd") { try editor.update(stored) { $0.magnitude = 1.5 } }
        if let stored = try context.quake(id: "us7000abcf") { try editor.delete(stored) }
        let inserted = try editor.insertedQuakes
        let changed = try editor.changedQuakes
        let deleted = try editor.deletedQuakes
        #expect(inserted.map(\.quake) == [new] && changed.map(\.quake.magnitude) == [1.5])
        #expect(deleted.map(\.quake.code) == ["7000abcf"])
        // EditingAndUndo
        let pending = try editor.fetch(QuakeDescriptor(sortBy: .magnitude))
        #expect(pending.map(\.quake.magnitude) == [7, 1.5])
        let other = Quake.coded("other")
        editor.rollback()
        let stored = try #require(try context.quake(id: "us7000abcd"))
        try context.revise(stored.key) { $0.magnitude = 2 }
        var current = stored
        // EditingAndUndo
        editor.conflictPolicy = .fail
        try editor.update(stored) { $0.magnitude = 1.5 }
        do {
            try editor.save()
        } catch StoreError.conflict(let quakes) {
            for (id, properties) in quakes { print("\(properties) of \(id) changed meanwhile") }
            editor.rollback(stored.key)
            if let fresh = try context.quake(id: "us7000abcd") { current = fresh }
        }
        #expect(current.quake.magnitude == 2 && !editor.hasChanges)
        // EditingAndUndo
        let entry = try editor.transaction {
            try editor.insert(other)
            try editor.delete(where: QuakeFilter(maximumMagnitude: 1))
        }
        #expect(entry?.counts.inserted == 1)
        // EditingAndUndo
        try editor.delete(where: QuakeFilter())
        try editor.save()
        try editor.undo()
        #expect(try context.fetchCount() == 3)
    }

    @Test("The code in the DocC article ReadingThePast runs and reads past states") func readingThePast() throws {
        let twoDaysAgo = Timestamp.now - .seconds(2 * 86_400)
        let early = QuakeCache(path: scratch.path, configuration: StoreConfiguration(now: { twoDaysAgo }))
        let old = try QuakeContext(early)
        let oldEditor = QuakeEditor(old)
        let provenance = HistoryTransaction.Provenance(generated: twoDaysAgo)
        for code in ["a", "b", "c"] { try oldEditor.insert(Quake.coded(code)) }
        try oldEditor.save(TransactionOrigin(provenance: provenance))
        let store = QuakeCache(path: scratch.path)
        let context = try QuakeContext(store, access: .creating)
        let editor = QuakeEditor(context)
        let yesterday = try context.history.currentToken()
        try editor.insert(Quake.coded("a", mag: 7))
        try editor.save()
        let today = try context.history.currentToken()
        let cache = store
        // ReadingThePast
        let reader = try QuakeContext(cache, access: .reading)
        try reader.pin(to: .current)
        #expect(try reader.fetchCount() == 3)
        // ReadingThePast
        try context.pin(to: .current)
        let count = try context.fetchCount()
        let listed = try context.fetch()
        assert(listed.count == count)
        // ReadingThePast
        try context.advance()
        var selection = listed
        try context.refresh(&selection)
        try context.unpin()
        #expect(selection == listed)
        // ReadingThePast
        try context.pin(to: .token(yesterday))
        let then = try context.fetch(QuakeDescriptor(sortBy: .magnitude, limit: 10))

        try context.pin(to: .committed(Timestamp.now - .seconds(86_400)))
        let before = try context.fetchCount()
        #expect(then.allSatisfy { $0.quake.magnitude == 4 })
        #expect(before == 3)
        // ReadingThePast
        try context.pin(to: .published(Timestamp.now - .seconds(86_400)))
        let published = try context.fetchCount()
        #expect(published == 3)
        // ReadingThePast
        let status = try context.status()
        let newest = status.newestPublication
        #expect(newest == twoDaysAgo)
        // ReadingThePast
        do {
            try context.pin(to: .token(yesterday))
        } catch StoreError.generationExpired(let number) {
            print("history up to transaction \(number) was trimmed")
        } catch StoreError.beforeHistory(let begins?) {
            print("history begins at \(begins.iso8601)")
        } catch StoreError.token(let fault) {
            print("no token of this cache: \(fault)")
        }
        // ReadingThePast
        let second = try QuakeContext(store, access: .reading)
        try second.pin(to: .of(context))
        let agree = try second.history.currentToken() == context.history.currentToken()
        #expect(agree)
        // ReadingThePast
        let generation = try context.generation()
        try second.pin(to: .held(generation))
        // ReadingThePast
        try context.pin(to: .token(today))
        var descriptor = HistoryDescriptor(start: .token(yesterday))
        descriptor.isCoalesced = true
        var changed = 0
        try context.history.fetch(descriptor) { event in
            if case .change = event { changed += 1 }
        }
        #expect(changed == 1)
    }
}
