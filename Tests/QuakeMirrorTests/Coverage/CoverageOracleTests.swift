import QuakeTestSupport
import Testing

/// Random stories of feeds, windows, purges, undos, edits, restores, cancellations, lying services and replicas that
/// lost or merged quakes. After every act, each covered range is compared with the service's data as of the covered
/// range. `QUAKES_STORY_SEED` repeats the story of one seed.
// Proves promise 14 of reliability.md, and rule 21 of mirroring.md.
@Suite("Random stories about coverage", .computing, .endsInTime) struct CoverageOracleTests {
    private static let length = 24

    /// Seeds whose stories once ended with a false covered range, or never.
    private static let found = [137, 206, 737, 1_098].map { $0..<$0 + 1 }

    /// Seeds shortly before the first story that notices, where that is far.
    private static let starts: [SwitchedOff: Int] = [.moment: 80, .withheld: 290]

    @Test(
        "In random simulations, covered ranges never include a quake that the cache lacks",
        arguments: Thoroughness.seeds(8, of: 2_000, orOnly: "QUAKES_STORY_SEED") + found)
    func randomStories(seeds: Range<Int>) throws {
        var compared = 0
        for seed in seeds {
            try withScratchDirectory { directory in
                let story = try CoverageStory(seed: seed, in: directory)
                try story.run(Self.length)
                compared += story.compared
                #expect(story.falsities == [], "seed \(seed): \(story.acts.joined(separator: "; "))")
            }
        }
        #expect(compared > seeds.count)
    }

    @Test(
        "If any one coverage rule is switched off, a random simulation finds false coverage",
        arguments: SwitchedOff.allCases)
    func eachRuleIsNeeded(rule: SwitchedOff) throws {
        let start = Self.starts[rule] ?? 0
        for seed in start..<start + 400 {
            let isNoticed = try withScratchDirectory { directory in
                let story = try CoverageStory(seed: seed, in: directory, without: rule)
                try story.run(Self.length)
                return !story.falsities.isEmpty
            }
            if isNoticed { return }
        }
        Issue.record("400 stories without the rule \(rule) ended without false coverage")
    }
}
