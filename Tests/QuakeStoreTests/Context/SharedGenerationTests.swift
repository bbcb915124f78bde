import QuakeTestSupport
import Testing

import QuakeEditing
@testable import QuakeStore

@Suite("Shared generations", .scratch) final class SharedGenerationTests: SuiteWithCache {
    @Test("A second context can be pinned to the first one's state even after its history is purged")
    func purgedHistory()
        throws
    {
        try context.record(.sample("us1"))
        let reader = try QuakeContext(scratch.store, access: .reading)
        try reader.pin(to: .token(context.history.currentToken()))
        try context.record(.sample("us2"))
        let generation = try reader.generation()
        _ = try context.history.trim(through: context.history.currentToken().number)
        try context.maintenance.purge(QuakeFilter())
        let second = try QuakeContext(scratch.store, access: .reading)
        let third = try QuakeContext(scratch.store)
        try second.pin(to: .of(reader))
        try third.pin(to: .held(generation))
        try reader.unpin()
        for reader in [second, third] {
            #expect(try reader.fetch().map(\.quake.id) == ["us1"])
            #expect(try reader.relevantChanges().count == 1)
            #expect(try reader.history.currentToken() == second.history.currentToken())
        }
        // A write advances only its own context's pin.
        try third.record(.sample("us3"))
        #expect(try third.fetch().map(\.quake.id) == ["us3"])
        #expect(try second.fetch().map(\.quake.id) == ["us1"])
    }

    @Test("A context pinned to generation() of an unpinned one reads the state as of that call") func unpinnedContext()
        throws
    {
        try context.record(.sample("us1"))
        let generation = try context.generation()
        #expect(!context.isPinned)
        try context.record(.sample("us2"))
        let reader = try QuakeContext(scratch.store, access: .reading)
        try reader.pin(to: .held(generation))
        #expect(try reader.fetch().map(\.quake.id) == ["us1"])
    }

    @Test("A context cannot be pinned to a state of another cache") func otherCache() throws {
        let other = try QuakeContext(QuakeCache(path: scratch.path + ".other"), access: .creating)
        let generation = try other.generation()
        for isPinned in [false, true] {
            if isPinned { try other.pin(to: .current) }
            #expect(throws: StoreError.token(.foreign)) { try context.pin(to: .held(generation)) }
            #expect(throws: StoreError.token(.foreign)) { try context.pin(to: .of(other)) }
            #expect(!context.isPinned)
        }
    }

    @Test("The data version changes with each new transaction, even in a pinned context") func dataVersion() throws {
        let other = try QuakeContext(scratch.store, author: "other")
        try context.pin(to: .current)
        _ = try context.fetchCount()
        var versions = [try context.history.newest()]
        try other.history.acknowledge(other.history.currentToken(), for: "alarm")
        try other.sources.save(FeedRecord(name: "all_day"))
        #expect(try context.history.newest() == versions[0])
        for id in ["us1", "us2"] {
            try other.record(.sample(id))
            versions.append(try context.history.newest())
        }
        _ = try other.history.trim(through: 2, force: true)
        #expect(try context.history.newest() == versions[2])
        #expect(Set(versions).count == 3)
        #expect(try context.fetchCount() == 0)
    }

    @Test("A pinned context never shows history from after the pinned state") func noLaterChanges() throws {
        try context.record(.sample("us1"))
        let token = try context.history.currentToken()
        try context.record(.sample("us2"))
        try context.pin(to: .token(token))
        #expect(try context.history.newestTransactions(5).map(\.number) == [1])
        #expect(try context.history.transaction(2) == nil)
        var changes = 0
        try context.history.forEachChange(ofTransaction: 2) { _ in changes += 1 }
        #expect(changes == 0)
        #expect(try context.history.changes(ofKey: 2).isEmpty)
        #expect(try context.history.counts(after: 0).changes == 1)
    }

    @Test("A dry run of a purge does not move a context's pin") func dryRun() throws {
        try context.record(.sample("us1"))
        let token = try context.history.currentToken()
        try context.record(.sample("us2"))
        try context.pin(to: .token(token))
        let purge = try context.maintenance.purge(QuakeFilter(), dryRun: true)
        #expect(purge.count == 2 && purge.transaction == nil)
        #expect(try context.history.currentToken() == token)
        #expect(try context.fetchCount() == 1)
        try context.maintenance.purge(QuakeFilter())
        #expect(try context.fetchCount() == 0)
    }

    @Test("Reads inside a transaction include the transaction's own changes") func readsInsideTransaction() throws {
        let token = try context.history.currentToken()
        try context.record(.sample("us1"))
        try context.pin(to: .token(token))
        #expect(try context.fetchCount() == 0)
        try context.write { writer in
            try writer.insert(.sample("us2"), reason: .new)
            #expect(try context.fetchCount() == 2)
            // Of the history, only the part before it is visible.
            #expect(try context.snapshot { try context.history.currentToken().number } == 1)
        }
    }

    // Proves feature C1 of seeds.md.
    @Test("In a pinned context, refreshed quakes and lazily read batches come from the pinned state")
    func refreshAndBatches() throws {
        let key = try context.record(.sample("us1"))
        try context.pin(to: .current)
        let list = try context.fetch()
        let batches = try context.fetch(QuakeDescriptor(), batchSize: 9)
        try QuakeContext(scratch.store).revise(key) { $0.magnitude = 9 }
        #expect(try context.refresh(list[0]) == list[0])
        #expect(try batches.flatMap { try $0.quakes() } == list)
        try context.advance()
        #expect(try context.refresh(list[0])?.quake.magnitude == 9)
    }

    // Proves feature C1 of seeds.md.
    @Test("An editor's reset() discards unsaved changes and advances the context's pin") func reset() throws {
        let other = try QuakeContext(scratch.store, author: "other")
        try context.record(.sample("us1"))
        try context.pin(to: .current)
        #expect(try context.fetchCount() == 1)
        try other.record(.sample("us2"))
        try editor.insert(.sample("us3"))
        try editor.reset()
        #expect(!editor.hasChanges)
        #expect(context.isPinned)
        #expect(try context.fetchCount() == 2)
        #expect(try editor.undo() == nil)
    }

    @Test("Contexts on several threads pinned to one state read the same quakes while others write", .computing)
    func sharedByThreads() async throws {
        let cache = scratch.store
        /// Changes the 100 quakes of the cache in 200 commits of a task of its own.
        func commit() async throws {
            try await Task.detached {
                let writer = try QuakeContext(cache, author: "writer")
                let writerEditor = QuakeEditor(writer)
                for round in 0..<200 {
                    let fraction = Double(round) / 1000
                    if round.isMultiple(of: 3) {
                        try writerEditor.delete(where: QuakeFilter(minimumMagnitude: 8))
                        try writer.save(.sample("uslate\(round)", magnitude: 8 + fraction))
                    } else {
                        try writer.save(.sample("us\(round % 100)", magnitude: 5 + fraction))
                    }
                }
            }.value
        }
        let list = try QuakeContext(cache)
        let listEditor = QuakeEditor(list)
        try listEditor.insert(contentsOf: (0..<100).map { .sample("us\($0)") })
        try listEditor.save()
        let old = try list.history.currentToken()
        for _ in 0..<2 { try await commit() }
        for place in [QuakeGeneration.current, .token(old)] {
            try list.pin(to: place)
            let (before, generation) = (try list.fetch(), try list.generation())
            try await withThrowingTaskGroup(of: [StoredQuake].self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        let context = try QuakeContext(cache, access: .reading)
                        try context.pin(to: .held(generation))
                        var all: [StoredQuake] = []
                        for _ in 0..<20 {
                            all = try context.fetch()
                            guard all.count == (try context.fetchCount()) else { return [] }
                        }
                        return all
                    }
                }
                try await commit()
                for try await all in group { #expect(all == before) }
            }
        }
    }
}
