import Foundation
import QuakeEditing
@testable import QuakeStore
import QuakeTestSupport
import Testing

@Suite("Reading with pending changes", .computing, .scratch) final class PendingReadTests: SuiteWithCache {
    @Test("New editors of a context reuse its temporary tables instead of creating more") func temporaryTables() throws
    {
        func tables() throws -> Int64? {
            try context.session.connection.integer("SELECT count(*) FROM temp.sqlite_master")
        }
        func read() throws {
            let passing = QuakeEditor(context)
            try passing.insert(.sample("usnew", magnitude: 7))
            #expect(try passing.fetchCount() == context.fetchCount() + 1)
        }
        try read()
        let before = try tables()
        var others: [QuakeEditor] = []
        for _ in 0..<20 {
            // Takes the address of the editor that has just been released.
            others.append(QuakeEditor(try QuakeContext(scratch.store)))
            try read()
        }
        #expect(others.count == 20)
        #expect(try tables() == before)
    }

    @Test("An editor's unsaved changes are visible in its own reads but not in the context's") func ownPendingChanges()
        throws
    {
        for index in 1...4 { try context.record(.sample("us\(index)", magnitude: Double(index))) }
        let stored = try context.fetch(QuakeDescriptor(sortBy: .magnitude, order: .forward))
        try editor.update(stored[0], to: stored[0].quake.with { $0.magnitude = 9 })
        try editor.delete(stored[1])
        try editor.insert(.sample("us5", magnitude: 3.5))
        #expect(try context.fetch(QuakeDescriptor(sortBy: .magnitude)).map(\.quake.magnitude) == [4, 3, 2, 1])
        var pending = QuakeDescriptor(sortBy: .magnitude)
        #expect(try editor.fetch(pending).map(\.quake.magnitude) == [9, 4, 3.5, 3])
        #expect(try editor.fetchCount(pending) == 4)
        pending.filter.minimumMagnitude = 3.2
        (pending.limit, pending.offset) = (1, 2)
        #expect(try editor.fetch(pending).map(\.quake.magnitude) == [3.5])
        #expect(try editor.fetchCount(pending) == 1)
        #expect(try editor.fetchIdentifiers(pending).allSatisfy { $0.rawValue >= 1 << 62 })
    }

    @Test("A quake inserted but not yet saved can be changed or deleted before the save") func changedInsertion() throws
    {
        try editor.insert(.sample("us1", magnitude: 1))
        try editor.insert(.sample("us2", magnitude: 2))
        let pending = QuakeDescriptor(sortBy: .magnitude)
        let stored = try editor.fetch(pending)
        #expect(stored.allSatisfy { $0.isTemporary })
        try editor.update(stored[0], to: stored[0].quake.with { $0.magnitude = 7 })
        try editor.delete(stored[1])
        // Another process uses the keys that these quakes would have received.
        let other = try QuakeContext(scratch.store, author: "other")
        try other.record(.sample("ci1", magnitude: 3))
        #expect(try editor.fetch(pending).map(\.quake.magnitude) == [7, 3])
        try editor.save()
        #expect(try context.fetch(QuakeDescriptor(sortBy: .magnitude)).map(\.quake.id) == ["us2", "ci1"])
        #expect(try context.fetch().allSatisfy { !$0.isTemporary })
    }

    @Test("An editor on a context pinned to the past reads that past state plus its unsaved changes")
    func pinnedContext() throws {
        try context.record(.sample("us1", magnitude: 1))
        let token = try context.history.currentToken()
        try context.record(.sample("us2", magnitude: 2))
        try context.pin(to: .token(token))
        try editor.insert(.sample("us3", magnitude: 3))
        #expect(
            try editor.fetch(QuakeDescriptor(sortBy: .magnitude)).map(\.quake.id)
                == ["us3", "us1"])
    }

    @Test("An enumeration visits the original list even if quakes are edited or committed meanwhile")
    func readWhileEnumerating() throws {
        let other = try QuakeContext(scratch.store, author: "other")
        try editor.insert(contentsOf: (0..<20).map { .sample("us\($0)", minutesAgo: Int64($0)) })
        try editor.save()
        try editor.insert(contentsOf: (0..<20).map { .sample("ci\($0)", minutesAgo: Int64($0)) })
        let descriptor = QuakeDescriptor()
        let before = try editor.fetch(descriptor)
        let saved = try context.fetch()
        var visited: [StoredQuake] = []
        try editor.enumerate(descriptor) { stored in
            visited.append(stored)
            try other.record(.sample("pr\(visited.count)"))
            guard visited.count <= saved.count else { return }
            try editor.delete(saved[saved.count - visited.count])
            #expect(try editor.insertedQuakes.count == 20)
            #expect(try editor.fetchCount(descriptor) == 40 - visited.count)
            #expect(try editor.refresh(before[0]) == editor.fetch(descriptor).first { $0.key == before[0].key })
        }
        #expect(visited == before)
        #expect(try editor.fetchCount(descriptor) == 60)
    }

    /// Applying all pending changes for each read would take minutes.
    @Test("Repeating an editor's read after an edit or another context's commit shows the change")
    func reusedEvaluation() throws {
        let other = try QuakeContext(scratch.store, author: "other")
        try editor.insert(contentsOf: (0..<5_000).map { .sample("us\($0)") })
        let descriptor = QuakeDescriptor()
        for stored in try editor.fetch(descriptor) { #expect(try editor.quake(key: stored.key) == stored) }
        try other.record(.sample("US7", magnitude: 9))
        #expect(try editor.changedQuakes.count == 1 && editor.fetchCount(descriptor) == 5_000)
        #expect(throws: CancellationError.self) {
            try context.snapshot {
                try editor.insert(.sample("ci1"))
                _ = try editor.fetch(descriptor)
                throw CancellationError()
            }
        }
        #expect(try editor.fetchCount(descriptor) == 5_001)
    }

    @Test("Limit and offset count only quakes that match both the filter and the predicate")
    func predicateAfterFilter() throws {
        for index in 1...9 { try context.record(.sample("us\(index)", magnitude: Double(index))) }
        let isEven = #Predicate<Quake> { ["2", "4", "6", "8"].contains($0.code) }
        let strong = QuakeFilter(minimumMagnitude: 3)
        let page = QuakeDescriptor(predicate: isEven, filter: strong, sortBy: .magnitude, limit: 2, offset: 1)
        #expect(try context.fetch(page).map(\.quake.magnitude) == [6, 4])
        let all = try context.fetch(QuakeDescriptor(predicate: isEven, sortBy: .magnitude))
        #expect(all.map(\.quake.magnitude) == [8, 6, 4, 2])
        #expect(try editor.fetch(strong) == context.fetch(strong) && context.fetch(strong).count == 7)
        #expect(try editor.fetchCount(strong) == 7)
    }

    /// Before, the id still led to the quake that had listed it, and the insert updated that quake.
    @Test("Inserting a quake with the new id of an unsaved rename updates the renamed quake")
    func insertionAfterRename() throws {
        let listing = Quake.sample("nc3").with { $0.ids = PublishedSet(members: ["nc3", "us2"]) }
        try context.save(listing, .sample("ak1"))
        let renamed = Quake.sample("us2").with { $0.ids = PublishedSet(members: ["us2", "ak1"]) }
        try editor.update(#require(try context.quake(id: "ak1")), to: renamed)
        try editor.insert(.sample("us2", magnitude: 5))
        let pending = try editor.fetch()
        #expect(Set(pending.map(\.quake.id)) == ["nc3", "us2"] && pending.count == 2)
        #expect(try editor.changedQuakes.map(\.quake.id) == ["us2"])
        try editor.save()
        #expect(try context.fetch() == pending)
        #expect(try context.quake(id: "nc3")?.quake == listing)
    }

    /// Whatever is pending, a read that includes it shows the same as a save.
    @Test(
        "After random edits, an editor reads the same quakes before a save as after it",
        arguments: Thoroughness.seeds(10, of: 2_000))
    func readsMatchSave(seeds: Range<Int>) throws {
        #expect(try seeds.filter { try !agrees(UInt64($0 + 1)) } == [])
    }

    private func agrees(_ seed: UInt64) throws -> Bool {
        var random = SplitMix64(state: seed)
        return try ScratchStore.with { _, context in
            let editor = QuakeEditor(context)
            for _ in 0..<3 {
                for _ in 0..<(1 + random.next(8)) { try edit(editor, &random) }
                let descriptor = QuakeDescriptor(
                    filter: QuakeFilter(minimumMagnitude: random.next(2) == 0 ? nil : 4),
                    sortBy: [
                        QuakeSortKey(.magnitude, order: random.next(2) == 0 ? .forward : .reverse),
                        QuakeSortKey(.depth),
                    ],
                    limit: random.next(2) == 0 ? nil : 3, offset: random.next(3))
                let counts = try (
                    editor.insertedQuakes.count, editor.changedQuakes.count,
                    editor.deletedQuakes.count
                )
                let shown = try editor.fetch(descriptor).map(\.quake)
                let count = try editor.fetchCount(descriptor)
                let before = try context.contents()
                do {
                    try editor.save()
                } catch StoreError.idTaken {
                    editor.rollback()
                    continue
                }
                let after = try context.contents()
                guard try shown == context.fetch(descriptor).map(\.quake), count == shown.count,
                    counts.0 == after.keys.count(where: { before[$0] == nil }),
                    counts.1 == after.count(where: { key, quake in before[key].map { $0 != quake } ?? false }),
                    counts.2 == before.keys.count(where: { after[$0] == nil })
                else { return false }
            }
            return true
        }
    }

    /// Few ids from few networks, so that they often conflict.
    private func edit(_ editor: QuakeEditor, _ random: inout SplitMix64) throws {
        let ids = ["us1", "us2", "ci1", "ci2", "pr1", "pr2", "ak1"]
        let visible = try editor.fetch()
        var quake = Quake.sample(ids[random.next(ids.count)], magnitude: Double(random.next(8)))
        if random.next(2) == 0 { quake.ids = PublishedSet(members: [quake.id, ids[random.next(ids.count)]]) }
        switch random.next(10) {
        case 0..<5: try editor.insert(quake)
        case 5 where !visible.isEmpty: try editor.delete(visible[random.next(visible.count)])
        case 6...7 where !visible.isEmpty:
            let stored = visible[random.next(visible.count)]
            try editor.update(stored, to: stored.quake.with { $0.magnitude = quake.magnitude })
        case 8 where !visible.isEmpty:
            let stored = visible[random.next(visible.count)]
            let new = stored.quake.with {
                if random.next(2) == 0 { ($0.net, $0.code) = (quake.net, quake.code) }
                $0.ids = quake.ids
            }
            do {
                try editor.update(stored, to: new)
            } catch StoreError.idTaken {
                // Once something is pending, only the save fails.
                #expect(!editor.hasChanges)
            }
        case 9: try editor.delete(where: QuakeFilter(maximumMagnitude: Double(random.next(3))))
        default: break
        }
    }
}
