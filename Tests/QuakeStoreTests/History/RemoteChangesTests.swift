import Foundation
import QuakeTestSupport
import Testing

import QuakeEditing
@testable import QuakeStore

/// Commits by other contexts and processes arrive as history. Each wait ends with the expected change.
// Proves feature B2 of seeds.md.
@Suite("Following remote changes", .endsInTime, .scratch) final class RemoteChangesTests: SuiteWithCache {
    private var cache: QuakeCache { scratch.store }
    /// Another one, which does not exist yet.
    private var followed: QuakeCache { QuakeCache(path: scratch.path + ".followed") }

    @Test("On request, a batch contains only the net changes of several commits, and the newest token")
    func commitsArriveTogether() async throws {
        let start = try context.history.currentToken()
        for number in 1...3 { try context.record(.sample("us70\(number)")) }
        try context.revise(1) { $0.magnitude = 5 }
        var changes = cache.changes(after: start, isCoalesced: true, every: .milliseconds(50)).makeAsyncIterator()
        let first = try #require(try await changes.next())
        // Four transactions, but only one net effect for each quake.
        #expect(first.kinds == [.insert, .insert, .insert])
        #expect(try first.token == context.history.currentToken())
        try context.revise(2) { $0.magnitude = 6 }
        let second = try #require(try await changes.next())
        #expect(second.kinds == [.update])
        #expect(try second.token == context.history.currentToken())
    }

    @Test("remoteChanges of a context omits the context's own commits") func ownCommits() async throws {
        // The other context has the same author and is in the same process.
        let other = try QuakeContext(cache, author: context.author)
        var changes = context.remoteChanges(after: try context.history.currentToken(), every: .milliseconds(50))
            .makeAsyncIterator()
        try editor.insert(.sample("us701"))
        try editor.save()
        try other.record(.sample("us702"))
        let batch = try #require(try await changes.next())
        #expect(batch.quakeIDs == ["us702"])
        try context.record(.sample("us703"))
        try other.revise(1) { $0.magnitude = 5 }
        #expect(try await changes.next()?.quakeIDs == ["us701"])
    }

    @Test("remoteChanges of a context pinned to a past state still returns other contexts' commits")
    func pinnedContext()
        async throws
    {
        try context.record(.sample("us701"))
        try context.pin(to: .token(try context.history.currentToken()))
        var changes = context.remoteChanges(after: try context.history.currentToken(), every: .milliseconds(50))
            .makeAsyncIterator()
        try QuakeContext(cache).record(.sample("us702"))
        #expect(try await changes.next()?.quakeIDs == ["us702"])
        #expect(try context.fetchCount() == 1)
    }

    @Test("A follower with a filter gets the newest token even if no change matches for a month")
    func quietMonth() async throws {
        let consumer = "org.example.alarm"
        try context.history.acknowledge(context.history.currentToken(), for: consumer)
        func sequence() throws -> RemoteChanges.Iterator {
            let token = try context.history.consumer(named: consumer)?.token
            var descriptor = HistoryDescriptor(after: token, isCoalesced: true)
            descriptor.filter.minimumMagnitude = 7
            return scratch.store.changes(descriptor, every: .milliseconds(50)).makeAsyncIterator()
        }
        var changes = try sequence()
        func read() async throws -> HistoryBatch {
            let batch = try #require(try await changes.next())
            if let token = batch.token { try context.history.acknowledge(token, for: consumer) }
            return batch
        }
        for day in 0..<31 {
            for number in 0..<33 { try context.record(.sample("us\(day)x\(number)", magnitude: 2)) }
            scratch.clock.advance(by: .seconds(86_400))
            let batch = try await read()
            #expect(batch.quakeIDs == [] && batch.events.count == 1)
            #expect(try batch.token == context.history.currentToken())
        }
        // And where nothing is committed at all.
        for _ in 0..<31 {
            scratch.clock.advance(by: .seconds(86_400))
            #expect(try await read().token == context.history.currentToken())
        }
        #expect(try context.history.trim(readByAll: .active).transactions == 31 * 33)
        // It is down while a large quake comes.
        try context.record(.sample("us8", magnitude: 8))
        changes = try sequence()
        #expect(try await read().quakeIDs == ["us8"])
    }

    @Test(
        "A cache and a context return every change of others or, on request, the net changes",
        arguments: [true, false])
    func bothForms(isCoalesced: Bool) async throws {
        let start = try context.history.currentToken()
        try context.record(.sample("us701"))
        try context.revise(1) { $0.magnitude = 5 }
        let own = try QuakeContext(cache)
        let descriptor = HistoryDescriptor(after: start, isCoalesced: isCoalesced)
        let sequences = [
            isCoalesced ? cache.changes(after: start, isCoalesced: true) : cache.changes(after: start),
            isCoalesced ? own.remoteChanges(after: start, isCoalesced: true) : own.remoteChanges(after: start),
            cache.changes(descriptor), own.remoteChanges(descriptor),
        ]
        for sequence in sequences {
            var changes = sequence.makeAsyncIterator()
            #expect(try await changes.next()?.kinds == (isCoalesced ? [.insert] : [.insert, .update]))
        }
    }

    @Test("A follower whose token's history was purged gets a resync, then new changes") func purgeLeadsToResync()
        async throws
    {
        let start = try context.history.currentToken()
        try context.record(.sample("us701"))
        try context.record(.sample("us702"))
        _ = try context.history.trim(through: 2)
        var changes = cache.changes(after: start, every: .milliseconds(50)).makeAsyncIterator()
        let batch = try #require(try await changes.next())
        #expect(batch.events.first == .dropEverything(.expired))
        try context.record(.sample("us703"))
        #expect(try await changes.next()?.quakeIDs == ["us703"])
    }

    @Test("If another cache replaces the followed file, the follower gets a resync") func replacedFile() async throws {
        let cache = followed
        let context = try QuakeContext(cache, access: .creating)
        try context.record(.sample("us701"))
        var changes = cache.changes(after: try context.history.currentToken(), every: .milliseconds(50))
            .makeAsyncIterator()
        try context.record(.sample("us702"))
        #expect(try await changes.next()?.quakeIDs == ["us702"])
        try Self.replace(cache)
        let batch = try #require(try await changes.next())
        #expect(batch.events.first == .dropEverything(.foreign))
        #expect(batch.resyncedIDs == ["us799"])
    }

    @Test("If the cache is replaced during a follower's read, the next poll reads the new file")
    func replacedBetweenStatements() async throws {
        let cache = followed
        try QuakeContext(cache, access: .creating).record(.sample("us701"))
        let follower = HistoryFollower(cache)
        let head = try follower.readIfChanged { context in
            try Self.replace(cache)
            return try context.history.currentToken()
        }
        #expect(head == nil)
        #expect(try follower.readIfChanged { try $0.quake(id: "us799") } != nil)
    }

    @Test("A follower reopens the cache after its write-ahead log is removed") func removedLog() async throws {
        let cache = followed
        try QuakeContext(cache, access: .creating).record(.sample("us701"))
        let follower = HistoryFollower(cache)
        let first = try #require(try follower.readIfChanged { $0 })
        for suffix in ["-wal", "-shm"] { unlink(cache.path + suffix) }
        try QuakeContext(cache).record(.sample("us702"))
        #expect(throws: StoreError.replaced(path: cache.path)) { try first.history.currentToken() }
        #expect(try follower.readIfChanged { try $0.quake(id: "us702") } != nil)
    }

    @Test("A follower reports a missing cache only after the configured waiting time")
    func reopensAndReports() async throws {
        let cache = followed
        let (patient, impatient) = (HistoryFollower(cache), HistoryFollower(cache, patience: .zero))
        #expect(try patient.readIfChanged { $0.author } == nil)
        #expect(throws: StoreError.noCache(path: cache.path)) { try impatient.readIfChanged { $0.author } }
        try QuakeContext(cache, access: .creating).record(.sample("us701"))
        weak let first = try impatient.readIfChanged { $0 }
        #expect(try impatient.readIfChanged { $0.author } == nil)
        #expect(first == nil && impatient.context != nil)
    }

    /// Puts another cache, of one quake, in the place of `cache`.
    private static func replace(_ cache: QuakeCache) throws {
        let other = cache.path + ".other"
        try QuakeContext(QuakeCache(path: other), access: .creating).record(.sample("us799"))
        for suffix in ["-wal", "-shm"] { unlink(cache.path + suffix) }
        #expect(rename(other, cache.path) == 0)
    }

    @Test("A follower waits until a missing cache is created, then reads its quakes") func waitsForCache() async throws
    {
        let cache = followed
        let waiting = Task {
            var changes = cache.changes(after: nil, every: .milliseconds(50)).makeAsyncIterator()
            while let batch = try await changes.next() {
                let ids = batch.resyncedIDs + batch.quakeIDs
                if !ids.isEmpty { return ids }
            }
            return []
        }
        await Task.yield()
        try QuakeContext(cache, access: .creating).record(.sample("us701"))
        #expect(try await waiting.value == ["us701"])
    }

    @Test(
        "A copy kept by following a cache equals the cache after random changes",
        arguments: Thoroughness.seeds(2, of: 200))
    func randomStories(seeds: Range<Int>) async throws {
        for seed in seeds {
            try await withScratchDirectory { directory async throws in
                let clock = TestClock()
                let cache = QuakeCache(
                    path: directory.path("followed.db"), configuration: StoreConfiguration { clock.now })
                let context = try QuakeContext(cache, access: .creating)
                let listening = Task {
                    var copy: [QuakeKey: Quake] = [:]
                    for try await batch in cache.changes(after: nil, every: .milliseconds(50)) {
                        for event in batch.events { Self.apply(event, to: &copy) }
                        if copy.values.contains(where: { $0.id == "zzlast" }) { break }
                    }
                    return copy
                }
                var story = RandomStory(seed: UInt64(seed), context: context, clock: clock)
                for _ in 0..<20 { try story.step() }
                try context.record(.sample("zzlast"))
                let copy = try await listening.value
                let contents = try context.contents()
                // A published title alone is not a net effect, because titles are derived values.
                #expect(
                    copy.mapValues { $0.with { $0.publishedTitle = nil } }
                        == contents.mapValues { $0.with { $0.publishedTitle = nil } }, "seed \(seed)")
            }
        }
    }

    private static func apply(_ event: HistoryEvent, to copy: inout [QuakeKey: Quake]) {
        switch event {
        case .dropEverything: copy = [:]
        case .resync(let resynced): copy[resynced.stored.key] = resynced.stored.quake
        case .change(let relevant): copy[relevant.change.quakeKey] = relevant.change.after
        case .end: break
        }
    }

    @Test("Canceling a task that follows a cache ends its sequence of changes") func cancellation() async throws {
        let changes = cache.changes(after: try context.history.currentToken())
        let reading = Task {
            var count = 0
            for try await _ in changes { count += 1 }
            return count
        }
        reading.cancel()
        #expect(try await reading.value == 0)
    }

    @Test("Following a file that is not a cache throws notACache") func notACache() async throws {
        let directory = try ScratchDirectory.ofTest()
        let path = try directory.write(Data("no cache, but a text".utf8), to: "followed.db")
        var changes = QuakeCache(path: path).changes(after: nil).makeAsyncIterator()
        await #expect(throws: StoreError.notACache(path: path)) { try await changes.next() }
    }
}

extension HistoryBatch {
    fileprivate var changes: [HistoryChange] {
        events.compactMap { if case .change(let change) = $0 { change.change } else { nil } }
    }

    fileprivate var kinds: [ChangeKind] { changes.map(\.kind) }

    fileprivate var quakeIDs: [String] { changes.compactMap { ($0.after ?? $0.before)?.id } }

    fileprivate var resyncedIDs: [String] {
        events.compactMap { if case .resync(let quake) = $0 { quake.stored.quake.id } else { nil } }
    }
}
