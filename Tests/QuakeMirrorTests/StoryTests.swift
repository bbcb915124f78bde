import QuakeMirror
import QuakeTestSupport
import Testing

@Suite("Stories: what successive snapshots change in a cache", .scratch) struct StoryTests {
    // Proves rules 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15, 16, 17 and 24 of mirroring.md.
    @Test("Each snapshot of a story changes the cache exactly as the story file states", arguments: Story.all)
    func steps(of story: Story) throws {
        let replay = try Replay(in: .ofTest(), settings: story.settings)
        for step in story.steps {
            let observed = try StepOutcome.observed(replay, story.path(step))
            #expect(observed == story.outcome(of: step), "step \(step)")
            if let unconfirmedChanges = story.unconfirmedChanges(after: step) {
                #expect(try replay.unconfirmedIDs() == unconfirmedChanges, "unconfirmed after step \(step)")
            }
        }
    }

    @Test("Applying a snapshot a second time changes nothing", arguments: Story.all)
    func repetition(of story: Story) throws {
        let replay = try Replay(in: .ofTest(), settings: story.settings)
        for step in story.steps where !story.outcome(of: step).isRefused {
            _ = try replay.apply(story.path(step))
            let unconfirmedChanges = try replay.context.sources.unconfirmedChanges()
            #expect(try replay.apply(story.path(step)).changes.isEmpty, "step \(step)")
            #expect(
                try replay.context.sources.unconfirmedChanges() == unconfirmedChanges, "unconfirmed after step \(step)")
        }
    }
}
