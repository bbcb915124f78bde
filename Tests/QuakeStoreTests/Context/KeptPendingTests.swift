import QuakeModel
import QuakeTestSupport
import Testing

@testable import QuakeStore

/// A list with pending changes that is read after every edit.
@Suite(.scratch)
struct KeptPendingTests {
    private static let descriptors = [
        QuakeDescriptor(sort: .magnitude, limit: 5, includesPending: true),
        QuakeDescriptor(filter: QuakeFilter(minimumMagnitude: 3), includesPending: true),
    ]

    @Test("A list that is being delivered stays as it began, whatever is edited and read meanwhile")
    func readWhileEnumerating() throws {
        let (_, context) = try ScratchStore.ofTest()
        try context.edits.insert(contentsOf: (0..<20).map { .sample("us\($0)", magnitude: Double($0)) })
        try context.edits.save()
        try context.edits.insert(.sample("us99", magnitude: 99))
        let descriptor = QuakeDescriptor(sort: .magnitude, includesPending: true)
        let before = try context.fetch(descriptor).map(\.quake)
        let saved = try context.fetch(QuakeDescriptor(sort: .magnitude))
        var visited: [Quake] = []
        try context.enumerate(descriptor) { stored in
            visited.append(stored.quake)
            guard let other = saved.first(where: { $0.quake.magnitude == Double(20 - visited.count - 3) }) else {
                return
            }
            try context.edits.update(other, to: other.quake.with { $0.magnitude = 50 })
            _ = try context.fetch(descriptor)
        }
        #expect(visited == before)
    }

    /// One context is read after every edit, the other one only at the end.
    @Test("A list that is read after every edit is the one that is read once", arguments: 0..<12)
    func readOften(seed: Int) throws {
        let (scratch, often) = try ScratchStore.ofTest()
        var random = SplitMix64(state: UInt64(seed))
        try often.edits.insert(contentsOf: (0..<150).map { .sample("us\($0)", magnitude: Double($0 % 9)) })
        try often.edits.save()
        let once = try scratch.store.context(author: "once")
        for step in 0..<120 {
            switch Int.random(in: 0...5, using: &random) {
            case 0:
                // Sometimes its ids tie it to another quake, and it waits for later ones.
                var quake = Quake.sample("ak\(step)", magnitude: .random(in: 0...9, using: &random))
                if Bool.random(using: &random) { quake.ids = PublishedSet("ak\(step),us\(step)") }
                for context in [often, once] { try context.edits.insert(quake) }
            case 1:
                for context in [often, once] { try context.edits.delete(where: QuakeFilter(minimumMagnitude: 7.5)) }
            case 2 where step % 20 == 0:
                // Somebody else commits.
                let other = try scratch.store.context(author: "other")
                try other.edits.insert(.sample("nc\(step)", magnitude: 8))
                try other.edits.save()
            case 3: for context in [often, once] where context.edits.hasChanges { _ = try context.edits.undo() }
            default:
                let key = QuakeKey(Int64.random(in: 1...150, using: &random))
                guard let stored = try once.quake(forKey: key) else { continue }
                let magnitude = Double.random(in: 0...9, using: &random)
                for context in [often, once] {
                    try context.edits.update(stored, to: stored.quake.with { $0.magnitude = magnitude })
                }
            }
            for descriptor in Self.descriptors { _ = try often.fetch(descriptor) }
        }
        // Temporary keys are each context's own.
        for descriptor in Self.descriptors {
            #expect(try often.fetch(descriptor).map(\.quake) == once.fetch(descriptor).map(\.quake))
        }
    }
}
