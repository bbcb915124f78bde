import Foundation
import QuakeEditing
import QuakeStore
import QuakeTestSupport
import Testing

@Suite("Requests for history", .scratch) final class HistoryRequestTests: SuiteWithCache {
    @Test(
        "A history request without a token returns every cached quake, even if history was purged",
        arguments: [0, 1, 2, 3] as [TransactionNumber])
    func withoutToken(purged: TransactionNumber) throws {
        for number in 1...3 { try context.record(.sample("us70\(number)")) }
        _ = try context.history.trim(through: purged)
        let events = try context.events(HistoryDescriptor(after: nil), resyncs: false)
        #expect(events.first == .dropEverything(.missing))
        let keys = events.compactMap { if case .resync(let quake) = $0 { quake.stored.key } else { nil } }
        #expect(keys == [1, 2, 3])
        #expect(try context.end(HistoryDescriptor(after: nil))?.token == context.history.currentToken())
    }

    @Test("Reading from the beginning of history leads to a resync if some history was purged") func beginningAndFloor()
        throws
    {
        for number in 1...3 { try context.record(.sample("us70\(number)")) }
        #expect(try context.relevantChanges(HistoryDescriptor(start: .beginning)).count == 3)
        _ = try context.history.trim(through: 2)
        #expect(try context.events(HistoryDescriptor(start: .beginning)).first == .dropEverything(.expired))
        #expect(throws: StoreError.token(.expired)) {
            try context.events(HistoryDescriptor(start: .beginning), resyncs: false)
        }
        #expect(try context.relevantChanges(HistoryDescriptor(start: .oldest)).map(\.transaction.number) == [3])
    }

    // Proves feature B5 of seeds.md.
    @Test("A history request with an end token returns no changes after that token", arguments: [false, true])
    func givenEnd(isCoalesced: Bool) throws {
        for number in 1...4 { try context.record(.sample("us70\(number)")) }
        var descriptor = HistoryDescriptor(start: .transaction(1))
        descriptor.isCoalesced = isCoalesced
        descriptor.end = try context.history.token(afterTransaction: 3)
        #expect(try context.relevantChanges(descriptor).map(\.transaction.number) == [2, 3])
        let end = try #require(try context.end(descriptor))
        #expect(end.token == descriptor.end && !end.hasMore)
        #expect(try end.newest == context.history.currentToken())
        // No records lie between a later start and the end, and the reader's position does not go back.
        descriptor.start = .transaction(4)
        #expect(try context.relevantChanges(descriptor) == [])
        #expect(try context.end(descriptor)?.token == context.history.currentToken())
        // If a page is full before the end, there are more records.
        descriptor.start = .transaction(0)
        descriptor.limit = 2
        if !isCoalesced {
            #expect(try context.end(descriptor)?.hasMore == true)
            #expect(try context.end(descriptor)?.token.number == 2)
        }
        descriptor.end?.number(9)
        #expect(throws: StoreError.token(.future)) { try context.events(descriptor) }
    }

    @Test("A history request returns only changes and values of the requested properties") func deliveredProperties()
        throws
    {
        let key = try context.record(.sample(magnitude: 4.6).with { $0.publishedTitle = "A title" })
        try context.revise(key) { $0.feltReports = 7 }
        try context.revise(key) {
            $0.magnitude = 5
            $0.significance = 400
        }
        var descriptor = HistoryDescriptor(start: .beginning)
        descriptor.deliveredProperties = [.mag, .id]
        let changes = try context.relevantChanges(descriptor)
        // An update of the felt reports alone does not count.
        #expect(changes.map(\.change.kind) == [.insert, .update])
        let update = try #require(changes.last?.change)
        #expect(update.changed == [.mag])
        #expect(update.before?.magnitude == 4.6 && update.after?.magnitude == 5)
        for quake in changes.compactMap(\.change.after) {
            #expect(quake.id == "us7000aa01")
            for property in QuakeProperty.allCases where property.isOptional {
                #expect(property == .mag || quake[property] == .null, "\(property)")
            }
            #expect(quake.ids.members == [] && quake.publishedTitle == nil)
        }
        descriptor.start = .nothing
        let resync = try context.events(descriptor).compactMap {
            if case .resync(let quake) = $0 { quake.stored.quake } else { nil }
        }
        #expect(resync.map(\.magnitude) == [5] && resync.map(\.place) == [nil])
        descriptor.isCoalesced = true
        descriptor.start = .transaction(1)
        #expect(try context.relevantChanges(descriptor).first?.change.changed == [.mag])
    }

    @Test("A net effect has the last transaction, the last reason of its kind, and the first and last state")
    func netEffects() throws {
        for id in ["us1", "us2"] { try context.record(.sample(id, magnitude: 4)) }
        try context.revise(1) { $0.magnitude = 5 }
        try context.maintenance.purge(QuakeFilter())
        let other = try QuakeContext(scratch.store, author: "other")
        try other.write { try $0.insert(.sample("us2", magnitude: 6), reason: .restored, key: 2) }
        var descriptor = HistoryDescriptor(start: .transaction(2))
        descriptor.isCoalesced = true
        let effects = try context.relevantChanges(descriptor)
        #expect(effects.map(\.change.kind) == [.delete, .update])
        #expect(effects.map(\.change.reason) == [.purged, .revised])
        #expect(effects.map(\.change.before?.magnitude) == [4, 4])
        #expect(effects.map(\.transaction.number) == [4, 5])
        #expect(effects.map(\.transaction.author) == ["test", "other"])
    }

    // Proves feature B5 of seeds.md.
    @Test("A history request since a time returns only transactions committed after that time") func startTime() throws
    {
        for number in 1...3 {
            try context.record(.sample("us70\(number)"))
            scratch.clock.advance(by: .seconds(60))
        }
        for (seconds, numbers) in [(-1, [1, 2, 3]), (59, [2, 3]), (120, [])] as [(Int, [TransactionNumber])] {
            let descriptor = HistoryDescriptor(start: .committed(.sample + .seconds(seconds)))
            #expect(try context.relevantChanges(descriptor).map(\.transaction.number) == numbers, "\(seconds)")
        }
    }

    // Proves feature B3 of seeds.md.
    @Test("A saved transaction records its token, author, purpose and process id") func transactionSource() throws {
        try editor.insert(.sample())
        let made = try editor.save(TransactionOrigin(purpose: "evening import"))
        let read = try #require(try context.history.transaction(1))
        #expect(try made == read && context.relevantChanges().map(\.transaction) == [read])
        #expect(try read.token == context.history.currentToken() && read.storeID == context.history.storeID())
        #expect(read.author == "test" && read.purpose == "evening import")
        #expect(read.processID == Int64(ProcessInfo.processInfo.processIdentifier))
    }

    // Proves features B4 and D1 of seeds.md.
    @Test("History events are equal after encoding as JSON and decoding") func codedEvents() throws {
        let key = try context.record(.sample().with { $0.extra = #"{"a":1}"# })
        try context.revise(key) { $0.magnitude = nil }
        try context.maintenance.purge(QuakeFilter())
        let events = try context.events() + context.events(HistoryDescriptor(after: nil))
        #expect(try JSONDecoder().decode([HistoryEvent].self, from: JSONEncoder().encode(events)) == events)
        let token = try context.history.currentToken()
        #expect(String(decoding: try JSONEncoder().encode([token]), as: UTF8.self) == "[\"\(token)\"]")
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([HistoryToken].self, from: Data(#"["q1.x"]"#.utf8))
        }
    }
}

extension HistoryToken {
    fileprivate mutating func number(_ number: TransactionNumber) {
        self = HistoryToken(storeID: storeID, number: number, fingerprint: fingerprint)
    }
}

extension QuakeProperty {
    /// Whether a quake may lack this property.
    fileprivate var isOptional: Bool {
        switch self {
        case .id, .net, .code, .time, .updated, .lon, .lat, .ids, .sources, .types, .title, .url, .detail: false
        default: true
        }
    }
}
