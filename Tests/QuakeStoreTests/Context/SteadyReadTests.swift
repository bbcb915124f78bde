import QuakeEditing
import QuakeStore
import QuakeTestSupport
import Testing

// Proves feature E1 of seeds.md.
@Suite("Enumerating quakes", .scratch) final class SteadyReadTests: SuiteWithCache {
    private let count = 500

    private func filled(_ scratch: ScratchStore, _ context: QuakeContext) throws {
        for index in 0..<count { try editor.insert(.sample("us\(index)", magnitude: Double(index % 7))) }
        try editor.save()
    }

    @Test(
        "Saving or purging while the same context enumerates quakes throws and loses no edit", arguments: [false, true])
    func writeDuringEnumeration(isPinned: Bool) throws {
        try filled(scratch, context)
        if isPinned { try context.pin(to: .current) }
        let other = try QuakeContext(scratch.store, author: "other")
        var seen = 0
        try context.enumerate(QuakeDescriptor(sortBy: .magnitude)) { stored in
            // Other contexts may commit meanwhile.
            if seen % 100 == 0 { try other.record(.sample("ci\(seen)", magnitude: 1)) }
            seen += 1
            try editor.update(stored, to: stored.quake.with { $0.magnitude = 8 })
            #expect(throws: StoreError.self) { try editor.save() }
            #expect(throws: StoreError.self) { try context.maintenance.purge(QuakeFilter()) }
        }
        try editor.save()
        #expect(try seen == count && context.fetchCount(QuakeFilter(minimumMagnitude: 8)) == count)
        #expect(throws: StoreError.self) {
            try context.write { writer in try context.enumerate { try writer.delete($0, reason: .edited) } }
        }
        #expect(try context.fetchCount() == count + 5)
    }

    @Test("An error thrown by the closure ends an enumeration of quakes, and later writes succeed") func throwingBody()
        throws
    {
        struct Enough: Error {}
        try filled(scratch, context)
        #expect(throws: Enough.self) { try context.enumerate { _ in throw Enough() } }
        try context.record(.sample("ci1"))
        #expect(throws: Enough.self) {
            try context.write { _ in try context.enumerate { _ in throw Enough() } }
        }
        #expect(try context.fetchCount() == count + 1)
    }
}
