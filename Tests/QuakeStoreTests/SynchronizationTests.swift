import QuakeStore
import QuakeTestSupport
import Testing

/// A reader that is interrupted anywhere and continues from its token ends with exactly the cache's contents.
@Suite("Reading changes with interruptions", .computing) struct SynchronizationTests {
    // Proves promise 3 of reliability.md, and feature D2 of seeds.md.
    @Test(
        "A copy kept by a reader that is killed at random points ends up equal to the cache",
        arguments: Thoroughness.seeds(5, of: 1_000), [false, true])
    func interruptedReader(seeds: Range<Int>, isCoalesced: Bool) throws {
        var resyncs = 0
        for seed in seeds {
            try ScratchStore.with { scratch, context in
                let state = UInt64(seed + (isCoalesced ? 10_000 : 0))
                var story = RandomStory(seed: state, context: context, clock: scratch.clock)
                let reading = try QuakeContext(scratch.store, access: .reading)
                var copy = ReadersCopy()
                func readToTheEnd() throws {
                    try copy.read(reading, isCoalesced: isCoalesced)
                    let missed = try copy.differences(from: context, countsTitles: !isCoalesced)
                    #expect(missed == [], "seed \(seed)")
                    #expect(try copy.token == context.history.currentToken(), "seed \(seed)")
                }
                for _ in 0..<14 {
                    try story.step()
                    if story.draw(3) > 0 { try copy.read(reading, isCoalesced: isCoalesced, dyingAfter: story.draw(9)) }
                }
                try readToTheEnd()
                // Now it must drop everything on its way.
                for _ in 0..<6 { try story.step() }
                _ = try context.history.trim(through: context.history.currentToken().number, force: true)
                for _ in 0..<2 { try story.step() }
                try copy.read(reading, isCoalesced: isCoalesced, dyingAfter: story.draw(6))
                try readToTheEnd()
                resyncs += copy.resyncs
            }
        }
        #expect(resyncs >= seeds.count)
    }

    @Test(
        "A copy that applies a page of changes equals the cache's state at the page's token",
        arguments: Thoroughness.seeds(5, of: 1_000))
    func pageLeadsToState(seeds: Range<Int>) throws {
        for seed in seeds {
            try ScratchStore.with { scratch, context in
                var story = RandomStory(seed: UInt64(20_000 + seed), context: context, clock: scratch.clock)
                let reading = try QuakeContext(scratch.store, access: .reading)
                var copy = ReadersCopy()
                for _ in 0..<14 {
                    try story.step()
                    // A reader that dies may stop within a transaction.
                    var isWhole = false
                    for _ in 0..<story.draw(4) {
                        isWhole = story.draw(4) > 0
                        try copy.read(reading, page: 1 + story.draw(3), dyingAfter: isWhole ? nil : story.draw(5))
                    }
                    guard isWhole, let token = copy.token, try context.history.fault(of: token) == nil else { continue }
                    try reading.pin(to: .token(token))
                    let missed = try copy.differences(from: reading)
                    #expect(missed == [], "seed \(seed)")
                    try reading.unpin()
                }
                while try copy.token != context.history.currentToken() { try copy.read(reading, page: 1) }
                let missed = try copy.differences(from: context)
                #expect(missed == [], "seed \(seed)")
            }
        }
    }
}
