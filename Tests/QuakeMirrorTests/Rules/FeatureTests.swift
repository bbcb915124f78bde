import QuakeTestSupport
import Testing

@testable import QuakeMirror

@Suite("Rules 3, 10 and 11: what a feature means for the quake it is")
struct FeatureTests {
    private func judge(
        _ feature: Quake, in cache: CacheInMemory, at minute: Int64 = 5, doubts: [Doubt] = []
    ) throws -> (operations: [Operation], confirmed: [QuakeKey]) {
        let facts = SnapshotFacts(
            generated: .minute(minute), window: nil, countsAbsences: false,
            coveredBefore: [.minute(-1440)...Timestamp.minute(0)], listedIDs: [feature.id])
        var reconciler = Reconciler(facts: facts, settings: MirrorSettings(), doubts: doubts)
        let operations = try reconciler.judge(feature, cache: cache)
        return (operations, reconciler.confirmed.keys)
    }

    private let quake = Quake.sample("us", "7000zz01")
    private var stored: StoredQuake { StoredQuake(key: 1, quake: quake) }

    @Test("An unknown feature is new, and late when a snapshot should have listed it an hour after it happened")
    func insert() throws {
        let late = Quake.sample("us", "7000zz02", time: .minute(-61))
        for (feature, reason) in [(quake, ChangeReason.new), (late, .late)] {
            let insert = Operation.insert(feature, reason: reason, key: nil, aliases: feature.aliases)
            #expect(try judge(feature, in: CacheInMemory()).operations == [insert])
        }
    }

    @Test("8: One that returns after its deletion is restored under its key, but not by an older snapshot")
    func restore() throws {
        var cache = CacheInMemory()
        cache.aliases[quake.id] = .departed(key: 9, generated: Timestamp.minute(4).milliseconds)
        let restored = Operation.insert(quake, reason: .restored, key: 9, aliases: [])
        #expect(try judge(quake, in: cache).operations == [restored])
        #expect(try judge(quake, in: cache, at: 3).operations.isEmpty)
    }

    @Test("3: A merge keeps the oldest quake and lets the feature's values stand")
    func merge() throws {
        let twin = Quake.sample("ak", "a2026zz")
        let both = Quake.sample("ak", "a2026zz", ids: ["aka2026zz", "us7000zz01"], updated: .minute(1))
        let steps = try judge(both, in: CacheInMemory(quake, twin)).operations
        #expect(
            steps == [
                .delete(StoredQuake(key: 2, quake: twin), reason: .merged, mergedInto: 1),
                .update(stored, to: both, reason: .renamed, aliases: []),
            ])
    }

    @Test("10: What a newer snapshot of another feed confirmed stays")
    func older() throws {
        var cache = CacheInMemory(quake)
        cache.confirmedByOthers[1] = .minute(6)
        let revised = Quake.sample("us", "7000zz01", magnitude: 3, updated: .minute(1))
        let (operations, confirmed) = try judge(revised, in: cache)
        #expect(operations.isEmpty && confirmed.isEmpty)
        #expect(try !judge(revised, in: cache, at: 6).operations.isEmpty)
    }

    @Test("10: An older snapshot that lists as one of its own what newer news made another quake is noticed")
    func withheld() throws {
        var cache = CacheInMemory(quake)
        cache.confirmedByOthers[1] = .minute(6)
        cache.aliases["aka2026zz"] = .departed(key: 9, generated: 0)
        cache.aliases["ci7"] = .departed(key: 8, generated: Timestamp.minute(6).milliseconds)
        for (listed, withheld) in [
            (Quake.sample("ak", "a2026zz", ids: [quake.id, "aka2026zz"]), 1), (.sample("ci", "7"), 1), (quake, 0),
        ] {
            var reconciler = Reconciler(facts: .day(at: 5), settings: MirrorSettings(), doubts: [])
            #expect(try reconciler.judge(listed, cache: cache).isEmpty)
            #expect(reconciler.withheld.isEmpty == (withheld == 0))
        }
    }

    @Test("10: What a newer snapshot made part of another quake is not split off by an older one")
    func olderSplit() throws {
        let both = Quake.sample("us", "100", ids: ["aka099", "us100"])
        let part = Quake.sample("ak", "a099")
        for (confirmed, isSplit) in [(Int64(6), false), (5, true)] {
            let cache = CacheInMemory(both, confirmed: .minute(confirmed))
            let facts = SnapshotFacts.day(at: 5, listing: "us100", "aka099")
            var reconciler = Reconciler(facts: facts, settings: MirrorSettings(), doubts: [])
            let steps = try reconciler.judge(both, cache: cache) + reconciler.judge(part, cache: cache)
            let split = Operation.insert(part, reason: .split, key: nil, aliases: ["aka099"])
            #expect(steps.contains(split) == isSplit && reconciler.withheld.isEmpty == isSplit)
        }
    }

    @Test(
        "13: Of a quake that no feed can list any more the catalog's answer notes nothing as doubtful; a feed's does")
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
                    generated: .minute(5), window: nil, countsAbsences: false, coveredBefore: [],
                    listedIDs: ["us7000zz01"])
                facts.isCatalog = isCatalog
                (known.originTime, back.originTime, renamed.originTime) = (origin, origin, origin)
                // Its former id does not identify another quake.
                var cache = CacheInMemory(known)
                cache.aliases["ak9"] = .live(key: 1)
                let former = Quake.sample("ak", "9", ids: ["ak9", known.id], updated: .minute(-25), time: origin)
                var named = facts
                named.listedIDs = ["ak9"]
                var reconciler = Reconciler(facts: named, settings: MirrorSettings(), doubts: [])
                _ = try reconciler.judge(former, cache: cache)
                #expect(reconciler.withheld.isEmpty == (isCatalog && isBeyond))
                let steps = try [back, renamed].map { feature in
                    var reconciler = Reconciler(facts: facts, settings: MirrorSettings(), doubts: [])
                    return try reconciler.judge(feature, cache: CacheInMemory(known))
                }
                let notes = steps.map { $0.contains { if case .note = $0 { true } else { false } } }
                let isNoted = !(isBeyond && isCatalog)
                #expect(notes == [isNoted, isNoted])
                // The older `updated` is ignored, but the service's place name is applied.
                let update = Operation.update(
                    StoredQuake(key: 1, quake: known), to: renamed, reason: .revised, aliases: [])
                #expect(steps[1].contains(update) == !isNoted)
            }
        }
    }

    @Test("11: A step back in updated is noted and not confirmed; an equal stamp is believed")
    func backward() throws {
        let back = Quake.sample("us", "7000zz01", magnitude: 1, updated: .minute(-25))
        let (operations, confirmed) = try judge(back, in: CacheInMemory(quake))
        let doubt = Doubt(quakeKey: 1, kind: .backward, generated: .minute(5), claimedUpdate: .minute(-25))
        #expect(operations == [.note(doubt)] && confirmed.isEmpty)
        let equal = Quake.sample("us", "7000zz01", magnitude: 1)
        let update = Operation.update(stored, to: equal, reason: .revised, aliases: [])
        #expect(try judge(equal, in: CacheInMemory(quake)).operations == [update])
    }

    @Test("11: A new preferred id is believed whatever the stamp; one the quake had before is not")
    func backwardRename() throws {
        let renamed = Quake.sample("ci", "49000301", ids: ["ci49000301", "us7000zz01"], updated: .minute(-25))
        let update = Operation.update(stored, to: renamed, reason: .renamed, aliases: ["ci49000301"])
        #expect(try judge(renamed, in: CacheInMemory(quake)).operations == [update])
        let now = Quake.sample("us", "7000zz01", ids: ["ci49000301", "us7000zz01"])
        let doubt = Doubt(quakeKey: 1, kind: .backward, generated: .minute(5), claimedUpdate: .minute(-25))
        #expect(try judge(renamed, in: CacheInMemory(now)).operations == [.note(doubt)])
    }

    @Test("11: Another place name for an unmoved hypocenter is noted; the quake is confirmed and the rest applies")
    func otherPlaceName() throws {
        let known = Quake.sample("us", "7000zz01", place: "Fox")
        var other = Quake.sample("us", "7000zz01", place: "Central Alaska")
        let doubt = Doubt(quakeKey: 1, kind: .place, generated: .minute(5), claimedName: "Central Alaska")
        let alone = try judge(other, in: CacheInMemory(known))
        #expect(alone.operations == [.note(doubt)] && alone.confirmed == [1])
        other.magnitude = 3
        var applied = known
        applied.magnitude = 3
        let update = Operation.update(
            StoredQuake(key: 1, quake: known), to: applied, reason: .revised, aliases: [])
        #expect(try judge(other, in: CacheInMemory(known)).operations == [.note(doubt), update])
    }

    @Test("11: Seen again in the same snapshot, another place name is no second sighting")
    func samePlaceNameAgain() throws {
        let noted = Doubt(quakeKey: 1, kind: .place, generated: .minute(5), claimedName: "Central Alaska")
        let other = Quake.sample("us", "7000zz01", place: "Central Alaska")
        let cache = CacheInMemory(Quake.sample("us", "7000zz01", place: "Fox"))
        #expect(try judge(other, in: cache, doubts: [noted]).operations == [.confirm(1)])
    }

    @Test("11: With the name, the title that ends in it stays")
    func titleKeepsPlaceName() {
        let known = Quake.sample("us", "7000zz01", place: "Fox")
        var other = Quake.sample("us", "7000zz01", place: "Central Alaska")
        other.publishedTitle = "M 2.0 Explosion - Central Alaska"
        other.takePlaceName(of: known)
        #expect(other.place == "Fox" && other.title == "M 2.0 Explosion - Fox")
    }

    @Test("12: The same values in other bytes confirm, drop what was in doubt and change nothing")
    func sameValues() throws {
        let doubts = [Doubt(quakeKey: 1, kind: .absent, generated: .minute(1))]
        let (operations, confirmed) = try judge(quake, in: CacheInMemory(quake), doubts: doubts)
        #expect(operations == [.drop(.absent, key: 1), .confirm(1)] && confirmed == [1])
    }

    @Test("11: A feature with an older stamp contradicts a doubt about the name, unless its hypocenter is another one")
    func staleName() throws {
        let doubt = Doubt(quakeKey: 1, kind: .place, generated: .minute(0), claimedName: "Elsewhere")
        var moved = Quake.sample("us", "7000zz01", updated: quake.updated - .seconds(60))
        let drop = Operation.drop(.place, key: 1)
        #expect(try judge(moved, in: CacheInMemory(quake), doubts: [doubt]).operations.contains(drop))
        moved.hypocenter.depthKilometers = (quake.hypocenter.depthKilometers ?? 0) + 1
        #expect(try !judge(moved, in: CacheInMemory(quake), doubts: [doubt]).operations.contains(drop))
    }
}
