import QuakeModel
import QuakeStore
import QuakeTestSupport
import Testing

@Suite("A read sees one state", .scratch)
struct SteadyReadTests {
    private let count = 2_000

    private func filled(_ scratch: ScratchStore, _ context: QuakeContext) throws {
        try context.edits.transaction {
            for index in 0..<count {
                let quake = Quake.sample(
                    "us\(10_000 + index)", magnitude: Double(index % 7), minutesAgo: Int64(count - index))
                try context.edits.insert(quake)
            }
        }
    }

    /// Visits every quake, the oldest first, and moves it ahead in the order of the index.
    private func moveAll(_ context: QuakeContext, save: (Int) throws -> Void) throws -> [Double?] {
        var seen: [Double?] = []
        try context.enumerate(QuakeDescriptor(order: .forward)) { stored in
            seen.append(stored.quake.magnitude)
            // A read that sees what is saved meanwhile need not end.
            try #require(seen.count <= count)
            try context.edits.update(
                stored,
                to: stored.quake.with {
                    $0.originTime = $0.originTime + .seconds(3600)
                    $0.magnitude = ($0.magnitude ?? 0) + 2
                })
            try save(seen.count)
        }
        return seen
    }

    private var expected: [Double?] { (0..<count).map { Double($0 % 7) } }

    @Test func aBodyThatChangesAndSavesVisitsEveryQuakeOnce() throws {
        let (scratch, context) = try ScratchStore.ofTest()
        try filled(scratch, context)
        context.edits.autosave = Autosave(afterOperations: 50)
        #expect(try moveAll(context) { _ in } == expected)
        try context.edits.save()
        #expect(try context.fetch().map(\.quake.magnitude).compactMap(\.self).min() == 2)
    }

    @Test func otherContextsMayCommitMeanwhile() throws {
        let (scratch, context) = try ScratchStore.ofTest()
        try filled(scratch, context)
        let other = try scratch.store.context(author: "other")
        #expect(
            try moveAll(context) { index in
                guard index % 500 == 0 else { return }
                try other.record(.sample("ci\(index)", magnitude: 9))
                try context.edits.save()
            } == expected)
        #expect(try context.fetchCount() == count + 4)
    }

    @Test func aPinnedContextMaySaveInsideAndReadsOnWhatItBegan() throws {
        let (scratch, context) = try ScratchStore.ofTest()
        try filled(scratch, context)
        let token = try context.history.head()
        try context.record(.sample("ci1", magnitude: 9))
        for generation in [QuakeGeneration.current, .token(token)] {
            try context.pin(to: generation)
            let before = try context.fetch(QuakeDescriptor(sort: .magnitude)).map(\.quake.magnitude)
            var seen: [Double?] = []
            try context.enumerate(QuakeDescriptor(sort: .magnitude)) { stored in
                if seen.count % 500 == 0 {
                    try context.edits.update(stored, to: stored.quake.with { $0.magnitude = 8 })
                    try context.edits.save()
                }
                seen.append(stored.quake.magnitude)
            }
            #expect(seen == before)
            seen = []
            try context.forEachRow(QuakeDescriptor(limit: 100), fields: [.mag]) { row in
                if seen.count == 50 { try context.record(.sample("pr\(context.history.head().number)")) }
                if case .real(let magnitude) = row.field(at: 0) { seen.append(magnitude) }
            }
            #expect(seen.count == 100)
        }
    }

    @Test func aBodyMayWriteInsideATransactionToo() throws {
        let (scratch, context) = try ScratchStore.ofTest()
        try filled(scratch, context)
        var outer: [Double?] = []
        var inner = 0
        var keys = 0
        try context.write { writer in
            try writer.insert(.sample("ci1", magnitude: 0))
            try context.enumerate(QuakeDescriptor(sort: .magnitude, order: .forward)) { stored in
                outer.append(stored.quake.magnitude)
                try writer.update(stored, to: stored.quake.with { $0.magnitude = ($0.magnitude ?? 0) + 2 })
                if outer.count == 7 { try context.enumerate { _ in inner += 1 } }
            }
            try context.enumerateIdentifiers(batchSize: 100) { batch in
                keys += batch.count
                _ = try writer.delete(try #require(try context.quake(forKey: batch[0])))
            }
        }
        #expect(outer == [0] + expected.sorted { $0 ?? 0 < $1 ?? 0 })
        #expect(inner == count + 1)
        #expect(keys == count + 1)
        #expect(try context.fetchCount() == count + 1 - 21)
    }

    @Test func aBatchWhoseBodyThrowsEndsTheEnumeration() throws {
        struct Enough: Error {}
        let (scratch, context) = try ScratchStore.ofTest()
        try filled(scratch, context)
        #expect(throws: Enough.self) { try context.enumerate { _ in throw Enough() } }
        try context.record(.sample("ci1"))
        #expect(throws: Enough.self) {
            try context.write { _ in try context.enumerate { _ in throw Enough() } }
        }
        #expect(try context.fetchCount() == count + 1)
    }
}
