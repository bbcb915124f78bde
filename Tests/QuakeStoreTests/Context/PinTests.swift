import Foundation
import QuakeEditing
import QuakeStore
import QuakeTestSupport
import Testing

@Suite("Pinned contexts", .computing, .scratch) final class PinTests: SuiteWithCache {
    /// Fills the cache with quakes of magnitude 0 to 9 under the keys 1 to 10.
    override init() throws {
        try super.init()
        try editor.transaction {
            for index in 0..<10 { try editor.insert(.coded("q\(index)", mag: Double(index))) }
        }
    }

    @Test("A context whose reads are pinned to one state can still save the status of a feed") func feedRecord() throws
    {
        try context.pin(to: .current)
        #expect(try context.fetchCount() == 10)
        try context.sources.save(FeedRecord(name: "all_day"))
        #expect(try context.sources.feed(named: "all_day") != nil)
    }

    // Proves feature C1 of seeds.md.
    @Test("A pinned context keeps reading the same state until it is advanced") func readsOneState() throws {
        let reader = try QuakeContext(scratch.store, access: .reading)
        try editor.transaction { try editor.insert(.coded("before")) }
        try reader.pin(to: .current)
        try editor.transaction { try editor.insert(.coded("later")) }
        let head = try reader.history.currentToken()
        let pinned = try reader.contents()
        #expect(pinned.count == 11)
        try context.maintenance.purge(QuakeFilter())
        _ = try context.history.trim(through: try context.history.currentToken().number)
        try? context.maintenance.compact()
        try reader.pin(to: .of(reader))
        #expect(try reader.contents() == pinned)
        #expect(try reader.fetchCount() == 11)
        #expect(try reader.history.currentToken() == head)
        #expect(try reader.maintenance.statistics().quakes == 11)
        #expect(try reader.history.transactions(after: 0).count == 2)
        try reader.advance()
        #expect(try reader.fetchCount() == 0)
        try reader.unpin()
        try editor.transaction { try editor.insert(.coded("after")) }
        #expect(try reader.fetchCount() == 1)
    }

    // Proves feature C2 of seeds.md.
    @Test("A past state that a context has pinned stays readable after its history is purged") func purgedHistory()
        throws
    {
        let then = try context.contents()
        let token = try context.history.currentToken()
        var small = QuakeFilter()
        small.maximumMagnitude = 4
        try context.maintenance.purge(small)
        let reader = try QuakeContext(scratch.store, access: .reading)
        try reader.pin(to: .token(token))
        let other = try QuakeContext(scratch.store, access: .reading)
        try other.pin(to: .of(reader))
        #expect(try other.history.currentToken() == token)
        _ = try context.history.trim(through: try context.history.currentToken().number)
        try context.maintenance.purge(QuakeFilter())
        #expect(try reader.contents() == then)
        #expect(try reader.fetchCount(small) == 5)
        #expect(try reader.fetchIdentifiers(QuakeDescriptor(sortBy: .magnitude, limit: 3, offset: 1)) == [9, 8, 7])
        #expect(try other.contents() == then)
        let late = try QuakeContext(scratch.store, access: .reading)
        try late.pin(to: .of(reader))
        #expect(try late.contents() == then, "two contexts agree as long as one of them reads the generation")
        #expect(throws: StoreError.generationExpired(trimmedThrough: 2)) { try late.pin(to: .token(token)) }
        #expect(try late.contents() == then, "a pin that cannot be moved stays")
        try late.pin(to: .of(context))
        #expect(try late.fetchCount() == 0, "an unpinned context reads the present")
    }

    // Proves feature C1 of seeds.md.
    @Test("Saving in a pinned context writes to the current state and advances the pin to it") func saveAdvancesPin()
        throws
    {
        let other = try QuakeContext(scratch.store)
        let otherEditor = QuakeEditor(other)
        let token = try context.history.currentToken()
        try otherEditor.transaction { try otherEditor.insert(.coded("theirs")) }
        try context.pin(to: .token(token))
        #expect(try context.fetchCount() == 10)
        try editor.insert(.coded("mine"))
        #expect(try context.fetchCount() == 10)
        try editor.save()
        #expect(context.isPinned)
        #expect(try context.fetchCount() == 12)
        try other.maintenance.purge(QuakeFilter())
        #expect(try context.fetchCount() == 12)
    }

    @Test("A failed write does not move a context's pin") func failedWrite() throws {
        struct Refusal: Error {}
        let token = try context.history.currentToken()
        try editor.transaction { try editor.insert(.coded("later")) }
        try context.pin(to: .token(token))
        #expect(throws: Refusal.self) { try context.write { _ in throw Refusal() } }
        #expect(try context.fetchCount() == 10)
        #expect(try context.history.currentToken() == token)
    }

    @Test("Inside context.snapshot { }, pinning or unpinning the context throws an error") func pinInsideSnapshot()
        throws
    {
        try context.snapshot {
            #expect(throws: StoreError.self) { try context.pin(to: .current) }
            #expect(throws: StoreError.self) { try context.unpin() }
        }
    }

    @Test("The history read by a pinned context ends at the pinned state") func historyEndsAtPin() throws {
        let token = try context.history.currentToken()
        try context.maintenance.purge(QuakeFilter())
        try context.pin(to: .token(token))
        var kinds: [ChangeKind] = []
        var end: HistoryEnd?
        try context.history.fetch { event in
            if case .change(let relevant) = event { kinds.append(relevant.change.kind) }
            if case .end(let last) = event { end = last }
        }
        #expect(kinds == Array(repeating: .insert, count: 10))
        #expect(end?.token == token)
        var resynced = 0
        let foreign = HistoryToken(storeID: "0000000000000", number: 1, fingerprint: 1)
        try context.history.fetch(HistoryDescriptor(start: .token(foreign))) { event in
            if case .resync = event { resynced += 1 }
        }
        #expect(resynced == 10)
        #expect(try context.history.changes(ofKey: 1).map(\.reason) == [.edited])
    }

    @Test("Pinning to a time selects the state after the last transaction up to that time") func stateAtTime() throws {
        for id in ["usa", "usb"] {
            scratch.clock.advance(by: .seconds(1))
            try context.record(.sample(id))
        }
        func pin(_ milliseconds: Int) throws {
            try context.pin(to: .committed(.sample + .milliseconds(milliseconds)))
        }
        for (milliseconds, count) in [(0, 10), (1999, 11), (8000, 12)] {
            try pin(milliseconds)
            #expect(try context.fetchCount() == count)
        }
        #expect(throws: StoreError.beforeHistory(begins: .sample)) { try pin(-1) }
        _ = try context.history.trim(before: .transaction(3))
        #expect(throws: StoreError.generationExpired(trimmedThrough: 2)) { try pin(500) }
        try pin(1000)
        #expect(try context.fetchCount() == 11)
    }

    /// Before, only quakes that changed since were searched.
    @Test("In a past state, an id that was split off later still finds the quake that listed the id")
    func idBeforeSplit() throws {
        func learn(at seconds: Int64, _ body: (QuakeEditor) throws -> Void) throws -> HistoryToken {
            let provenance = HistoryTransaction.Provenance(generated: Timestamp(milliseconds: seconds * 1000))
            try body(editor)
            try editor.save(TransactionOrigin(provenance: provenance))
            return try context.history.currentToken()
        }
        func keys() throws -> [QuakeKey?] { try ["usa", "CI4", "pr5"].map { try context.key(ofID: $0) } }

        let listing = Quake.coded("a").with { $0.ids = PublishedSet(members: ["usa", "ci4"]) }
        let first = try learn(at: 10) { try $0.insert(listing) }
        let split = try learn(at: 20) { try $0.insert(contentsOf: [listing, .coded("4", net: "ci")]) }
        _ = try learn(at: 15) { try $0.insert(.coded("5", net: "pr")) }
        #expect(try keys() == [11, 12, 13])
        // First as the split left it, then with the listing quake changed, then also with the split one changed.
        for key in [nil, 11, 12] as [QuakeKey?] {
            try context.unpin()
            if let stored = try key.flatMap({ try context.quake(key: $0) }) {
                _ = try learn(at: 30) { try $0.update(stored, to: stored.quake.with { $0.magnitude = 6 }) }
            }
            try context.pin(to: .token(first))
            #expect(try keys() == [11, 11, nil], "\(String(describing: key))")
            #expect(try context.quake(id: "ci4")?.quake == listing)
            try context.pin(to: .token(split))
            #expect(try keys() == [11, 12, nil], "\(String(describing: key))")
            try context.pin(to: .published(Timestamp(milliseconds: 17_000)))
            #expect(try keys() == [11, 11, 13], "\(String(describing: key))")
        }
    }

    @Test("In a past state, an id that has moved twice since finds the quake that had it then") func idMovedTwice()
        throws
    {
        try editor.insert(.coded("a").with { $0.ids = PublishedSet(members: ["usa", "ci4"]) })
        try editor.insert(contentsOf: [.coded("b"), .coded("c")])
        try editor.save()
        let first = try context.history.currentToken()
        let holder = try #require(try context.key(ofID: "usa"))
        for id in ["usb", "usc"] {
            let next = try #require(try context.quake(id: id))
            try context.write { writer in
                try writer.update(next, to: next.quake.with { $0.magnitude = 6 }, reason: .revised)
                try writer.assign(alias: "ci4", to: next.key)
            }
            #expect(try context.key(ofID: "ci4") == next.key)
        }
        try context.pin(to: .token(first))
        #expect(try context.key(ofID: "ci4") == holder)
    }

    @Test("In a past state, an id that a quake received later finds that quake") func idAssignedLater() throws {
        func save(_ body: (QuakeEditor) throws -> Void) throws -> HistoryToken {
            try body(editor)
            try editor.save()
            return try context.history.currentToken()
        }
        let first = try save { try $0.insert(.coded("a")) }
        let stored = try #require(try context.quake(id: "usa"))
        let renamed = Quake.coded("4", net: "ci").with { $0.ids = PublishedSet(members: ["usa", "ci4"]) }
        let second = try save { try $0.update(stored, to: renamed) }
        _ = try save { try $0.insert(.coded("5", net: "pr")) }
        for (state, ids) in [(first, ["usa"]), (second, ["ci4", "usa"])] {
            try context.pin(to: .token(state))
            #expect(try ["usa", "CI4", "pr5"].map { try context.key(ofID: $0) } == [stored.key, stored.key, nil])
            #expect(try context.aliases(ofKey: stored.key) == ids)
        }
    }
}
