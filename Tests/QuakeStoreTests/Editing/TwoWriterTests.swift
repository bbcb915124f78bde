import QuakeTestSupport
import Testing

// Proves features E3, E4, E6 and E7 of seeds.md.
@Suite("Random edits by two editors and a third writer", .computing) struct TwoWriterTests {
    @Test(
        "After random edits, values, history, errors and pending changes of two editors are those of a model",
        arguments: Thoroughness.seeds(40, of: 10_000, orOnly: "QUAKES_EDIT_SEED"))
    func randomEdits(seeds: Range<Int>) throws {
        var outcomes: Set<String> = []
        for seed in seeds {
            var story = try EditStory(seed: UInt64(seed + 1))
            do {
                for _ in 0..<30 { try story.step() }
                try story.finish()
            } catch {
                Issue.record("seed \(seed): \(error), after \(story.log.joined(separator: ", "))")
            }
            outcomes.formUnion(story.outcomes)
        }
        #expect(seeds.count < 20 || outcomes.count >= 6, "\(outcomes)")
    }
}
