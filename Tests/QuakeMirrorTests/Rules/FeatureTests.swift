import QuakeTestSupport
import Testing

@testable import QuakeMirror

@Suite("What a feature does to its quake") struct FeatureTests {
    private func judge(
        _ feature: Quake, in cache: CacheInMemory, at minute: Int64 = 5, unconfirmedChanges: [UnconfirmedChange] = []
    ) throws -> (operations: [Operation], confirmed: [QuakeKey]) {
        let facts = SnapshotFacts(
            sourceTime: .minute(minute), window: nil, countsAbsences: false,
            coveredBefore: [.minute(-1440)...Timestamp.minute(0)], listing: [feature.id])
        let rules = SnapshotRules(facts: facts, settings: MirrorSettings(), unconfirmedChanges: unconfirmedChanges)
        let decision = try rules.judge(feature, listed: [], cache: cache)
        return (decision.operations, decision.listed.filter { !decision.unconfirmed.contains($0) })
    }

    private let quake = Quake.sample("us", "7000zz01")

    private func update(
        _ known: Quake? = nil, to new: Quake, _ reason: ChangeReason = .revised, aliases: [String] = []
    ) -> Operation {
        .update(StoredQuake(key: 1, quake: known ?? quake), to: new, reason: reason, aliases: aliases)
    }

    private let unconfirmedStep = Operation.recordUnconfirmed(
        UnconfirmedChange(quakeKey: 1, kind: .backward, sourceTime: .minute(5), updated: .minute(-25)))

    // Proves rule 17 of mirroring.md.
    @Test("A new quake is \"late\" if a snapshot made over an hour after the quake did not list it") func lateQuake()
        throws
    {
        for (minutes, reason) in [(-59, ChangeReason.new), (-61, .late)] as [(Int64, ChangeReason)] {
            let feature = Quake.sample("us", "7000zz02", time: .minute(minutes))
            let insert = Operation.insert(feature, reason: reason, key: nil, aliases: feature.aliases)
            #expect(try judge(feature, in: CacheInMemory()).operations == [insert])
        }
    }

    // Proves rule 10 of mirroring.md.
    @Test("An older snapshot does not change a quake that a newer snapshot of another feed confirmed")
    func confirmedByNewer() throws {
        var cache = CacheInMemory(quake)
        cache.confirmedByOthers[1] = .minute(6)
        let revised = Quake.sample("us", "7000zz01", magnitude: 3, updated: .minute(1))
        let (operations, confirmed) = try judge(revised, in: cache)
        #expect(operations.isEmpty && confirmed.isEmpty)
        #expect(try !judge(revised, in: cache, at: 6).operations.isEmpty)
    }

    // Proves rule 10 of mirroring.md.
    @Test("A feature counts as outdated if a newer snapshot has confirmed or deleted its quake")
    func olderThanRename() throws {
        var cache = CacheInMemory(quake)
        cache.confirmedByOthers[1] = .minute(6)
        cache.aliases["aka2026zz"] = .departed(key: 9, sourceTime: 0)
        cache.aliases["ci7"] = .departed(key: 8, sourceTime: Timestamp.minute(6).milliseconds)
        for (listed, withheld) in [
            (Quake.sample("ak", "a2026zz", ids: [quake.id, "aka2026zz"]), 1), (.sample("ci", "7"), 1), (quake, 0),
        ] {
            let decision = try SnapshotRules(facts: .day(at: 5)).judge(listed, listed: [], cache: cache)
            #expect(decision.operations.isEmpty && decision.outcome == .outdated)
            #expect(decision.disputedOriginTimes.isEmpty == (withheld == 0))
        }
    }

    // Proves rule 10 of mirroring.md.
    @Test("An older snapshot does not split two quakes that a newer snapshot merged") func olderThanMerge() throws {
        let both = Quake.sample("us", "100", ids: ["aka099", "us100"])
        let part = Quake.sample("ak", "a099")
        for (confirmed, isSplit) in [(Int64(6), false), (5, true)] {
            let cache = CacheInMemory(both, confirmed: .minute(confirmed))
            let facts = SnapshotFacts.day(at: 5, listing: "us100", "aka099")
            let rules = SnapshotRules(facts: facts)
            let first = try rules.judge(both, listed: [], cache: cache)
            let second = try rules.judge(part, listed: Set(first.listed), cache: cache)
            let split = Operation.insert(part, reason: .split, key: nil, aliases: ["aka099"])
            #expect(second.operations.contains(split) == isSplit && second.disputedOriginTimes.isEmpty == isSplit)
        }
    }

    // Proves rule 13 of mirroring.md.
    @Test("For a quake over 30 days old, an event service query leaves no change unconfirmed")
    func beyondFeeds() throws {
        let old = Timestamp.minute(5 - 30 * 1440 - 1)
        var known = Quake.sample("us", "7000zz01", place: "9 km N of Here", time: old)
        known.updated = .minute(-20)
        var back = known
        (back.updated, back.magnitude) = (.minute(-25), 1)
        var renamed = known
        (renamed.updated, renamed.place) = (.minute(-19), "8 km S of There")
        for (origin, isBeyond) in [(old, true), (old + .seconds(120), false)] {
            for isCatalog in [true, false] {
                var facts = SnapshotFacts(
                    sourceTime: .minute(5), window: nil, countsAbsences: false, coveredBefore: [],
                    listing: ["us7000zz01"])
                facts.isFromService = isCatalog
                (known.originTime, back.originTime, renamed.originTime) = (origin, origin, origin)
                // Its former id does not identify another quake.
                var cache = CacheInMemory(known)
                cache.aliases["ak9"] = .live(key: 1)
                let former = Quake.sample("ak", "9", ids: ["ak9", known.id], updated: .minute(-25), time: origin)
                var named = facts
                named.listing = ["ak9"]
                let decision = try SnapshotRules(facts: named).judge(former, listed: [], cache: cache)
                #expect(decision.disputedOriginTimes.isEmpty == (isCatalog && isBeyond))
                let steps = try [back, renamed].map { feature in
                    try SnapshotRules(facts: facts).judge(feature, listed: [], cache: CacheInMemory(known)).operations
                }
                let notes = steps.map { $0.contains { if case .recordUnconfirmed = $0 { true } else { false } } }
                let isNoted = !(isBeyond && isCatalog)
                #expect(notes == [isNoted, isNoted])
                // The older `updated` is ignored, but the service's place name is applied.
                #expect(steps[1].contains(update(known, to: renamed)) == !isNoted)
            }
        }
    }

    // Proves rule 11 of mirroring.md.
    @Test("A rename to a new id is applied even if its updated time is older than the cached one")
    func renamedBackward() throws {
        let renamed = Quake.sample("ci", "49000301", ids: ["ci49000301", "us7000zz01"], updated: .minute(-25))
        let update = update(to: renamed, .renamed, aliases: ["ci49000301"])
        #expect(try judge(renamed, in: CacheInMemory(quake)).operations == [update])
        let now = Quake.sample("us", "7000zz01", ids: ["ci49000301", "us7000zz01"])
        #expect(try judge(renamed, in: CacheInMemory(now)).operations == [unconfirmedStep])
    }

    // Proves rule 11 of mirroring.md.
    @Test("While a new place name is unconfirmed, the title keeps the cached place name") func titleKeepsPlaceName() {
        let known = Quake.sample("us", "7000zz01", place: "Fox")
        var other = Quake.sample("us", "7000zz01", place: "Central Alaska")
        other.publishedTitle = "M 2.0 Explosion - Central Alaska"
        other.takePlaceName(of: known)
        #expect(other.place == "Fox" && other.title == "M 2.0 Explosion - Fox")
    }

    // Proves rule 11 of mirroring.md.
    @Test("An older version with the cached place name and hypocenter discards an unconfirmed name")
    func outdatedPlaceName() throws {
        let change = UnconfirmedChange(quakeKey: 1, kind: .place, sourceTime: .minute(0), place: "Elsewhere")
        var moved = Quake.sample("us", "7000zz01", updated: quake.updated - .seconds(60))
        let drop = Operation.drop(.place, key: 1)
        #expect(try judge(moved, in: CacheInMemory(quake), unconfirmedChanges: [change]).operations.contains(drop))
        moved.hypocenter.depthKilometers = (quake.hypocenter.depthKilometers ?? 0) + 1
        #expect(try !judge(moved, in: CacheInMemory(quake), unconfirmedChanges: [change]).operations.contains(drop))
    }
}
