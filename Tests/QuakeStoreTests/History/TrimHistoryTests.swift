import QuakeStore
import QuakeTestSupport
import Testing

// Proves features B9 and E5 of seeds.md.
@Suite("Purging history", .scratch) final class TrimHistoryTests: SuiteWithCache {
    /// Fills the cache with four transactions of one quake each, one minute apart.
    private func makeHistory() throws {
        for number in 1...4 {
            scratch.clock.advance(by: .seconds(60))
            try context.record(.sample("us70\(number)"))
        }
    }

    @Test("Purging history before transaction 2 keeps transaction 2") func beforeTransaction() throws {
        try makeHistory()
        let purge = try context.history.trim(before: .transaction(2))
        #expect(purge.transactions == 1 && purge.trimmedThrough == 1)
        #expect(try context.history.transaction(2)?.number == 2)
        #expect(try context.history.trim(before: .transaction(1)).transactions == 0)
        #expect(try context.history.trim(before: .transaction(5)).trimmedThrough == 4)
    }

    @Test("A context pinned to a past state can purge history newer than that state") func pinnedContext() throws {
        try makeHistory()
        let pinned = try QuakeContext(scratch.store)
        let early = try context.history.token(afterTransaction: 1)
        let late = try context.history.token(afterTransaction: 3)
        try pinned.pin(to: .token(early))
        #expect(try pinned.history.trim(before: .token(late), dryRun: true).trimmedThrough == 3)
        try pinned.pin(to: .token(early))
        #expect(try pinned.history.trim(before: .committed(scratch.clock.now), dryRun: true).trimmedThrough == 4)
        try pinned.pin(to: .token(early))
        #expect(try pinned.history.trim(before: .token(late)).transactions == 3)
        #expect(try context.history.floor().number == 3)
    }

    @Test("Purging history before a publication time in already purged history deletes nothing") func belowFloor()
        throws
    {
        for minute in Int64(0)..<3 {
            let origin = TransactionOrigin(provenance: .init(generated: .sample + .seconds(60 * minute)))
            try context.write(origin) { try $0.insert(.sample("us70\(minute)"), reason: .new) }
        }
        _ = try context.history.trim(through: 2)
        let purge = try context.history.trim(before: .published(.sample))
        #expect(purge.transactions == 0 && purge.trimmedThrough == 2)
    }

    @Test("Purging the history read by all active consumers keeps what any of them has not read")
    func readByAllConsumers() throws {
        try makeHistory()
        #expect(try context.history.trim(readByAll: .active).transactions == 0)
        for (name, number) in [("slow", TransactionNumber(1)), ("quick", 4), ("medium", 3)] {
            try context.history.acknowledge(try context.history.token(afterTransaction: number), for: name)
        }
        #expect(try context.history.trim(readByAll: .active, dryRun: true).trimmedThrough == 1)
        #expect(throws: StoreError.unreadConsumer(name: "slow", number: 1)) {
            try context.history.trim(readByAll: .named(["quick", "medium"]))
        }
        #expect(try context.history.trim(readByAll: .named(["quick", "unknown"])).transactions == 0)
        scratch.clock.advance(by: .seconds(31 * 86_400))
        for (name, number) in [("quick", TransactionNumber(4)), ("medium", 3)] {
            try context.history.acknowledge(try context.history.token(afterTransaction: number), for: name)
        }
        #expect(try context.history.trim(readByAll: .all, dryRun: true).trimmedThrough == 1)
        #expect(try context.history.trim(readByAll: .active).trimmedThrough == 3)
        // The inactive consumer is now behind the start of the history, and has to start over.
        #expect(try context.history.trim(readByAll: .all).transactions == 0)
        try context.history.forgetConsumer(named: "medium")
        #expect(try context.history.trim(readByAll: .all).trimmedThrough == 4)
    }
}
