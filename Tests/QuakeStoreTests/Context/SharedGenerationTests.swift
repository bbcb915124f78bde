import QuakeTestSupport
import Testing

@testable import QuakeStore

@Suite("What a pin promises", .scratch)
struct SharedGenerationTests {
    @Test func aGenerationIsSharedAlsoWhenItsHistoryIsPurged() throws {
        let (scratch, writer) = try ScratchStore.ofTest()
        try writer.record(.sample("us1"))
        let reader = try scratch.store.context(access: .reading)
        try reader.pin(to: .token(writer.history.head()))
        try writer.record(.sample("us2"))
        let generation = try reader.generation()
        _ = try writer.history.delete(through: writer.history.head().number)
        try writer.maintenance.purge(QuakeFilter())
        let second = try scratch.store.context(access: .reading)
        let third = try scratch.store.context()
        try second.pin(to: .of(reader))
        try third.pin(to: .held(generation))
        try reader.unpin()
        for context in [second, third] {
            #expect(try context.fetch().map(\.quake.id) == ["us1"])
            #expect(try context.relevantChanges().count == 1)
            #expect(try context.history.head() == second.history.head())
        }
        // A write advances only its own context's pin.
        try third.record(.sample("us3"))
        #expect(try third.fetch().map(\.quake.id) == ["us3"])
        #expect(try second.fetch().map(\.quake.id) == ["us1"])
    }

    @Test func theGenerationOfAnUnpinnedContextIsThePresent() throws {
        let (scratch, writer) = try ScratchStore.ofTest()
        try writer.record(.sample("us1"))
        let generation = try writer.generation()
        #expect(!writer.isPinned)
        try writer.record(.sample("us2"))
        let reader = try scratch.store.context(access: .reading)
        try reader.pin(to: .held(generation))
        #expect(try reader.fetch().map(\.quake.id) == ["us1"])
    }

    @Test func aGenerationOfAnotherCacheIsForeign() throws {
        let (scratch, context) = try ScratchStore.ofTest()
        let other = try QuakeCache(path: scratch.path + ".other").context(access: .creating)
        let generation = try other.generation()
        #expect(throws: StoreError.token(.foreign)) { try context.pin(to: .held(generation)) }
        #expect(!context.isPinned)
    }

    @Test func theDataVersionMovesWithEveryTransactionAlsoWhilePinned() throws {
        let (scratch, context) = try ScratchStore.ofTest()
        let other = try scratch.store.context(author: "other")
        try context.pin(to: .current)
        _ = try context.fetchCount()
        var versions = [try context.history.dataVersion()]
        try other.history.acknowledge(other.history.head(), for: "alarm")
        try other.sources.save(FeedRecord(name: "all_day"))
        #expect(try context.history.dataVersion() == versions[0])
        for id in ["us1", "us2"] {
            try other.record(.sample(id))
            versions.append(try context.history.dataVersion())
        }
        _ = try other.history.delete(through: 2, force: true)
        #expect(try context.history.dataVersion() == versions[2])
        #expect(Set(versions).count == 3)
        #expect(try context.fetchCount() == 0)
    }

    @Test func noReadShowsWhatCameAfterThePinnedGeneration() throws {
        let (_, context) = try ScratchStore.ofTest()
        try context.record(.sample("us1"))
        let token = try context.history.head()
        try context.record(.sample("us2"))
        try context.pin(to: .token(token))
        #expect(try context.history.newestTransactions(5).map(\.number) == [1])
        #expect(try context.history.transaction(2) == nil)
        var changes = 0
        try context.history.forEachChange(ofTransaction: 2) { _ in changes += 1 }
        #expect(changes == 0)
        #expect(try context.history.changes(ofKey: 2).isEmpty)
        #expect(try context.history.changeCount(after: 0) == 1)
    }

    @Test func aDryRunLeavesThePinWhereItIs() throws {
        let (_, context) = try ScratchStore.ofTest()
        try context.record(.sample("us1"))
        let token = try context.history.head()
        try context.record(.sample("us2"))
        try context.pin(to: .token(token))
        #expect(try context.maintenance.purge(QuakeFilter(), dryRun: true).count == 2)
        #expect(try context.history.head() == token)
        #expect(try context.fetchCount() == 1)
        try context.maintenance.purge(QuakeFilter())
        #expect(try context.fetchCount() == 0)
    }

    @Test func readsInsideATransactionSeeWhatItWrites() throws {
        let (_, context) = try ScratchStore.ofTest()
        let token = try context.history.head()
        try context.record(.sample("us1"))
        try context.pin(to: .token(token))
        #expect(try context.fetchCount() == 0)
        try context.write { writer in
            try writer.insert(.sample("us2"))
            #expect(try context.fetchCount() == 2)
            // Of the history, only the part before it is visible.
            #expect(try context.snapshot { try context.history.head().number } == 1)
        }
    }

    @Test func resetForgetsWhatIsPendingAndAdvances() throws {
        let (scratch, context) = try ScratchStore.ofTest()
        let other = try scratch.store.context(author: "other")
        try context.record(.sample("us1"))
        try context.pin(to: .current)
        #expect(try context.fetchCount() == 1)
        try other.record(.sample("us2"))
        try context.edits.insert(.sample("us3"))
        try context.reset()
        #expect(!context.edits.hasChanges)
        #expect(context.isPinned)
        #expect(try context.fetchCount() == 2)
        #expect(try context.edits.undo() == nil)
    }
}
