import Foundation
import QuakeMirror
import Testing

/// "Accessing data when the store changes" (Core Data, query generations), listing by listing.
@Suite(.timeLimit(.minutes(5)))
struct QueryGenerations {
    /// Runs `body` with a cache of 100 quakes and a task that changes them 200 times in its own commits.
    private func withBusyCache<Result>(
        _ body: (QuakeCache, QuakeContext, @escaping @Sendable () async throws -> Void) async throws -> Result
    ) async throws -> Result {
        try await withCache { cache, context in
            try context.edits.insert(contentsOf: (0..<100).map { .invented("q\($0)") })
            try context.edits.save()
            let path = cache.path
            return try await body(cache, context) {
                try await Task.detached {
                    let writer = try QuakeCache(path: path).context(author: "org.example.writer")
                    for round in 0..<200 {
                        let code = "q\(round % 100)"
                        if round.isMultiple(of: 3) {
                            try writer.edits.delete(where: QuakeFilter(minimumMagnitude: 8))
                            try writer.edits.insert(.invented("late\(round)", magnitude: 8 + Double(round) / 1000))
                        } else {
                            try writer.edits.insert(.invented(code, magnitude: 5 + Double(round) / 1000))
                        }
                        try writer.edits.save()
                    }
                }.value
            }
        }
    }

    @Test("A pinned context reads one state while 200 commits arrive from another, then advances to the last")
    func pinnedWhileOthersCommit() async throws {
        try await withBusyCache { _, view, commit in
            try view.pin(to: .current)
            let before = try view.fetch()
            async let commits: Void = commit()
            for _ in 0..<100 {
                #expect(try view.fetch() == before && view.fetchCount() == 100)
                await Task.yield()
            }
            try await commits
            #expect(try view.fetch() == before && view.isPinned)
            #expect(try view.history.head().number == TransactionNumber(1))

            try view.advance()
            #expect(try view.history.head().number == TransactionNumber(201) && view.isPinned)
            #expect(try view.fetch() != before)
        }
    }

    @Test("A pin to the current generation is fixed by the first read, not by the call")
    func pinsLazily() async throws {
        try await withCache { cache, view in
            try view.pin(to: .current)
            let other = try cache.context(author: "org.example.other")
            try other.edits.insert(.invented("a"))
            try other.edits.save()
            #expect(try view.fetchCount() == 1)
            try other.edits.insert(.invented("b"))
            try other.edits.save()
            #expect(try view.fetchCount() == 1)
        }
    }

    @Test("Two contexts agree by sharing a generation, also when its history is purged meanwhile")
    func sharedByTwoContexts() async throws {
        try await withBusyCache { cache, list, commit in
            let map = try cache.context(access: .reading)
            try list.pin(to: .current)
            let before = try list.fetch()
            try await commit()
            try map.pin(to: .of(list))
            #expect(try map.fetch() == before && map.history.head() == list.history.head())

            let writer = try cache.context(author: "org.example.purge")
            try writer.history.delete(before: .token(try writer.history.head()))
            let chart = try cache.context(access: .reading)
            try chart.pin(to: .held(try list.generation()))
            #expect(try chart.fetch() == before && map.fetch() == before)
        }
    }

    @Test("Contexts of two threads agree by sharing a generation, whatever is written and purged meanwhile")
    func sharedByTwoThreads() async throws {
        try await withBusyCache { cache, list, commit in
            let old = try list.history.head()
            try await commit()
            try await commit()
            for place in [QuakeGeneration.current, .token(old)] {
                try list.pin(to: place)
                let before = try list.fetch()
                let generation = try list.generation()
                try await withThrowingTaskGroup(of: [StoredQuake].self) { group in
                    for _ in 0..<8 {
                        group.addTask {
                            let context = try cache.context(access: .reading)
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

    @Test("Unpinned again, a context reads what is newest; a save, a reset and a merge advance a pin")
    func advanceAndUnpin() async throws {
        try await withCache { cache, view in
            let other = try cache.context(author: "org.example.other")
            func commit(_ code: String) throws {
                try other.edits.insert(.invented(code))
                try other.edits.save()
            }
            try view.pin(to: .current)
            #expect(try view.fetchCount() == 0)
            try commit("a")
            try view.edits.insert(.invented("b"))
            try view.edits.save()
            #expect(try view.fetchCount() == 2)
            try commit("c")
            try view.reset()
            #expect(try view.fetchCount() == 3)
            try commit("d")
            #expect(try view.fetchCount() == 3)
            try view.unpin()
            #expect(try view.fetchCount() == 4 && !view.isPinned)
        }
    }

    @Test("Objects fetched earlier are refreshed: one, all at once, or fetched again in batches")
    func refreshOfFetchedObjects() async throws {
        try await withBusyCache { _, view, commit in
            try view.pin(to: .current)
            var list = try view.fetch()
            let batches = try view.fetch(QuakeDescriptor(), batchSize: 30)
            try await commit()
            // The generation also determines what is fetched later.
            #expect(try batches.flatMap { try $0.quakes() } == list)
            let one = try #require(list.first { $0.quake.id == "usq1" })
            #expect(try view.refresh(one) == one)

            try view.advance()
            #expect(try view.refresh(one)?.quake.magnitude != one.quake.magnitude)
            try view.refresh(&list)
            #expect(try list.allSatisfy { try view.quake(forKey: $0.key) == $0 } && list.count == 100)
            #expect(try batches.flatMap { try $0.quakes() }.map(\.key) == list.map(\.key))
        }
    }

    @Test("Old generations can be read too, as long as their history is kept; then they are expired by name")
    func oldGenerations() async throws {
        try await withBusyCache { cache, view, commit in
            let before = try view.fetch()
            let token = try view.history.head()
            try await commit()
            try view.pin(to: .token(token))
            #expect(try view.fetch() == before)
            let second = try cache.context()
            try second.history.delete(before: .transaction(TransactionNumber(100)))
            #expect(throws: StoreError.generationExpired(floor: TransactionNumber(99))) {
                try second.pin(to: .token(token))
            }
            #expect(try view.fetch() == before)
        }
    }
}
