import QuakeModel
import QuakeStore
import Testing

/// What a consumer has not read is not purged under it.
struct ConsumerTests {
    @Test func unreadHistoryIsKeptForThirtyDays() throws {
        try ScratchStore.with { scratch, context in
            try context.record(.sample("us701"))
            try context.acknowledge(context.head(), for: "alarm")
            try context.record(.sample("us702"))
            try context.record(.sample("us703"))
            #expect(try context.deleteHistory(through: 1).transactions == 1)
            #expect(throws: StoreError.unreadConsumer(name: "alarm", number: 1)) {
                try context.deleteHistory(through: 2)
            }
            #expect(try context.deleteHistory(through: 2, force: true, dryRun: true).transactions == 1)
            #expect(try context.floor().number == 1)
            scratch.clock.advance(by: .seconds(30 * 86_400 + 1))
            #expect(try context.deleteHistory(through: 2).transactions == 1)
            let floor = try context.floor()
            #expect(floor.number == 2 && floor.author == "test" && floor.moved == scratch.clock.now)
        }
    }

    @Test func oneThatLostItsPlaceHoldsNothingBack() throws {
        try ScratchStore.with { _, context in
            try context.record(.sample("us701"))
            try context.acknowledge(context.head(), for: "alarm")
            for index in 2...4 { try context.record(.sample("us70\(index)")) }
            _ = try context.deleteHistory(through: 3, force: true)
            #expect(try context.deleteHistory(through: 4).transactions == 1)
        }
    }

    @Test func aConsumerIsRememberedAndForgotten() throws {
        try ScratchStore.with { _, context in
            #expect(try context.consumer(named: "alarm") == nil)
            try context.acknowledge(context.head(), for: "alarm")
            try context.record(.sample())
            #expect(try context.consumer(named: "alarm")?.number == 0)
            #expect(try context.changeCount(after: 0) == 1)
            #expect(try context.forgetConsumer(named: "alarm"))
            #expect(try !context.forgetConsumer(named: "alarm"))
        }
    }

    @Test func whatIsUnreadIsCountedWithoutLookingAtIt() throws {
        try ScratchStore.with { _, context in
            for index in 0..<6 { try context.record(.sample("us70\(index)")) }
            #expect(try context.changeCount(after: 2) == 4)
            _ = try context.deleteHistory(through: 3)
            #expect(try context.changeCount(after: 0) == 3)
            #expect(try context.changeCount(after: 3) == 3)
            _ = try context.deleteHistory(through: 6)
            #expect(try context.changeCount(after: 6) == 0)
        }
    }
}
