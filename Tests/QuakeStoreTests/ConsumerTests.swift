import QuakeTestSupport
import QuakeStore
import Testing

/// History that a consumer has not read is not purged.
@Suite("Saved consumers", .scratch) final class ConsumerTests: SuiteWithCache {
    // Proves feature B9 of seeds.md.
    @Test("History that a consumer has not read is protected from a purge for 30 days") func unreadHistoryIsKept()
        throws
    {
        try context.record(.sample("us701"))
        try context.history.acknowledge(context.history.currentToken(), for: "alarm")
        try context.record(.sample("us702"))
        try context.record(.sample("us703"))
        #expect(try context.history.trim(through: 1).transactions == 1)
        #expect(throws: StoreError.unreadConsumer(name: "alarm", number: 1)) {
            try context.history.trim(through: 2)
        }
        #expect(try context.history.trim(through: 2, force: true, dryRun: true).transactions == 1)
        #expect(try context.history.floor().number == 1)
        scratch.clock.advance(by: .seconds(30 * 86_400 + 1))
        #expect(try context.history.trim(through: 2).transactions == 1)
        let floor = try context.history.floor()
        #expect(floor.number == 2 && floor.author == "test" && floor.moved == scratch.clock.now)
    }

    @Test("A consumer whose token has expired does not prevent a purge of history") func invalidConsumer() throws {
        try context.record(.sample("us701"))
        let token = try context.history.currentToken()
        try context.history.acknowledge(token, for: "alarm")
        for index in 2...4 { try context.record(.sample("us70\(index)")) }
        _ = try context.history.trim(through: 3, force: true)
        // A reader that was slower than the purge.
        try context.history.acknowledge(token, for: "late")
        #expect(try context.history.trim(through: 4).transactions == 1)
    }

    @Test("A consumer is saved when it acknowledges a token, and can be forgotten") func savedAndForgotten() throws {
        #expect(try context.history.consumer(named: "alarm") == nil)
        try context.history.acknowledge(context.history.currentToken(), for: "alarm")
        try context.record(.sample())
        #expect(try context.history.consumer(named: "alarm")?.number == 0)
        #expect(try context.history.counts(after: 0).changes == 1)
        #expect(try context.history.forgetConsumer(named: "alarm"))
        #expect(try !context.history.forgetConsumer(named: "alarm"))
    }

    @Test("A token from another cache, or newer than a restored backup, is not saved for a consumer")
    func tokenOfOtherHistory() throws {
        try context.record(.sample("us701"))
        let (first, backup) = (
            try context.history.currentToken(), try context.maintenance.backup(to: scratch.path + ".copy").path
        )
        try context.record(.sample("us702"))
        let lost = try context.history.currentToken()
        try context.history.acknowledge(first, for: "alarm")
        try scratch.store.restore(from: backup)
        let foreign = HistoryToken(
            storeID: String(first.storeID.reversed()), number: first.number, fingerprint: first.fingerprint)
        func refuses(_ token: HistoryToken, _ fault: TokenFault) {
            #expect(throws: StoreError.token(fault)) { try context.history.acknowledge(token, for: "alarm") }
        }
        refuses(foreign, .foreign)
        refuses(lost, .future)
        for number in 3...4 { try context.record(.sample("us70\(number)")) }
        refuses(lost, .forked)
        #expect(try context.history.consumer(named: "alarm")?.token == first)
        // What was purged meanwhile is read again.
        try context.history.trim(through: context.history.currentToken().number, force: true)
        try context.history.acknowledge(first, for: "alarm")
        let events = try context.events(HistoryDescriptor(after: context.history.consumer(named: "alarm")?.token))
        #expect(events.first == .dropEverything(.expired))
    }

    @Test("Unread changes are counted correctly even after a purge of history") func unreadCounts() throws {
        for index in 0..<6 { try context.record(.sample("us70\(index)")) }
        #expect(try context.history.counts(after: 2).changes == 4)
        _ = try context.history.trim(through: 3)
        #expect(try context.history.counts(after: 0).changes == 3)
        #expect(try context.history.counts(after: 3).changes == 3)
        _ = try context.history.trim(through: 6)
        #expect(try context.history.counts(after: 6).changes == 0)
    }
}
