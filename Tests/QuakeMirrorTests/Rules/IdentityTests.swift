import QuakeTestSupport
import Testing

@testable import QuakeMirror

@Suite("Which quake a feature describes") struct IdentityTests {
    /// Returns the identity of `feature` in a document that also lists `listed`. Earlier features were the quakes in
    /// `matched`.
    private func identity(
        of feature: Quake, in cache: CacheInMemory, listed: Set<String> = [], kind: DocumentListing.Kind = .complete,
        wouldList: Bool = true, matched: Set<QuakeKey> = []
    ) throws -> FeatureIdentity {
        let listing = DocumentListing(kind, wouldList: { _ in wouldList }) { listed.union([feature.id]) }
        return try FeatureIdentity(of: feature, in: listing, matched: matched, cache: cache)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let cached: [Quake]
        let feature: Quake
        let matched: Set<QuakeKey>
        let keys: [QuakeKey]

        init(
            _ description: String, _ cached: Quake..., feature: Quake, matched: Set<QuakeKey> = [],
            keys: [QuakeKey] = []
        ) {
            (testDescription, self.cached, self.feature) = (description, cached, feature)
            (self.matched, self.keys) = (matched, keys)
        }
    }

    static let cases: [Case] = {
        let (us, ci) = (Quake.sample("us", "1"), Quake.sample("ci", "3"))
        let (ciShared, nnShared) = (
            Quake.sample("ci", "3", ids: ["at9", "ci3"]), Quake.sample("nn", "4", ids: ["at9", "nn4"])
        )
        let nnOther = Quake.sample("nn", "4", ids: ["gcmt1", "nn4"])
        return [
            Case(
                "A quake matched to another feature of the snapshot is nobody else's", ci,
                feature: .sample("nn", "4", ids: ["ci3", "nn4"]), matched: [1]),
            Case(
                "A feature that lists two quakes of one network is neither of them", us, .sample("us", "9"),
                feature: .sample("ci", "3", ids: ["ci3", "us1", "us9"])),
            Case(
                "A feature with a new id of the network is the quake that it lists", us,
                feature: .sample("us", "9", ids: ["us1", "us9"]), keys: [1]),
            Case(
                "Two quakes of a network that the cache knows are not one", us, .sample("us", "9"),
                feature: .sample("us", "9", ids: ["us1", "us9"]), keys: [2]),
            Case("A shared alias merges never, with one missing", ciShared, nnShared, feature: nnShared, keys: [2]),
            Case("nor with the other", ciShared, nnShared, feature: ciShared, keys: [1]),
            Case(
                "An alias preferred on neither side ties a feature to no quake", ciShared, nnOther,
                feature: .sample("us", "1", ids: ["at9", "us1"])),
        ]
    }()

    // Proves rule 4 of mirroring.md.
    @Test("A feature that shares ids with cached quakes matches only those that rule 4 allows", arguments: cases)
    func sharedIDs(example: Case) throws {
        let cache = CacheInMemory(example.cached)
        let identity = try identity(of: example.feature, in: cache, matched: example.matched)
        #expect(identity.quakes.map(\.stored.key) == example.keys)
    }

    // Proves rule 4 of mirroring.md.
    @Test("A former id matches its quake only if the document should list the quake but does not")
    func formerID() throws {
        var cache = CacheInMemory(.sample("nc", "40000042"))
        cache.aliases["tw652158"] = .live(key: 1)
        let former = Quake.sample("tw", "652158")
        #expect(try identity(of: former, in: cache).quakes.map(\.stored.key) == [1])
        for (kind, wouldList) in [(DocumentListing.Kind.complete, false), (.partial, false), (.changes, true)] {
            var open = try identity(of: former, in: cache, kind: kind, wouldList: wouldList)
            #expect(open.quakes.isEmpty && open.undecided.map(\.stored.key) == [1])
            open.decideByIDs()
            #expect(open.quakes.isEmpty && open.isSplit)
        }
        let both = try identity(of: former, in: cache, listed: ["nc40000042"], kind: .changes)
        #expect(both.undecided.isEmpty && both.isSplit)
    }

    // Proves rule 3 of mirroring.md.
    @Test("A rename stays undecided if the document could also lack the old id for another reason") func undecided()
        throws
    {
        let (us, nc) = (Quake.sample("us", "1"), Quake.sample("nc", "2"))
        let renamed = Quake.sample("pr", "9", ids: ["pr9", "us1"])
        for (kind, wouldList) in [(DocumentListing.Kind.complete, false), (.partial, false), (.changes, true)] {
            var identity = try identity(of: renamed, in: CacheInMemory(us), kind: kind, wouldList: wouldList)
            #expect(identity.quakes.isEmpty && identity.undecided.map(\.stored.key) == [1])
            identity.decideByIDs()
            #expect(identity.quakes.map(\.stored.key) == [1])
        }
        let merged = Quake.sample("pr", "9", ids: ["nc2", "pr9", "us1"])
        var several = try identity(of: merged, in: CacheInMemory(us, nc), kind: .partial)
        #expect(several.quakes.isEmpty && several.undecided.map(\.stored.key) == [1, 2])
        several.decideByIDs()
        #expect(several.quakes.isEmpty)
    }

    // Proves rule 4 of mirroring.md.
    @Test("Two quakes of the same network are merged only by the event service, not by a feed") func sameNetwork()
        throws
    {
        let (us, ci) = (Quake.sample("us", "1"), Quake.sample("ci", "3"))
        let united = Quake.sample("nc", "2", ids: ["ci3", "nc2", "us1", "us9"])
        let cache = CacheInMemory(us, ci, .sample("us", "9"))
        #expect(try identity(of: united, in: cache, kind: .catalog).quakes.map(\.stored.key) == [1, 2, 3])
        let feed = try identity(of: united, in: cache)
        #expect(feed.quakes.map(\.stored.key) == [2] && feed.undecided.map(\.stored.key) == [1, 3])
    }

    // Proves rule 4 of mirroring.md.
    @Test("A feature in a partial document does not merge its quake with another whose id it lists")
    func separateQuakes() throws {
        let (us, nc) = (Quake.sample("us", "1"), Quake.sample("nc", "2", ids: ["nc2", "us1"]))
        let cache = CacheInMemory(us, nc)
        for (kind, wouldList) in [(DocumentListing.Kind.complete, false), (.partial, true)] {
            let apart = try identity(of: nc, in: cache, kind: kind, wouldList: wouldList)
            #expect(apart.quakes.map(\.stored.key) == [2] && apart.undecided.isEmpty)
        }
        #expect(try identity(of: nc, in: cache).quakes.map(\.stored.key) == [2, 1])
        #expect(try identity(of: nc, in: cache, kind: .changes).undecided.map(\.stored.key) == [1])
    }

    // Proves rule 8 of mirroring.md.
    @Test("A shared id restores a deleted quake only if the feature or the deleted quake prefers it")
    func deletedQuakeReturns() throws {
        let gone = Quake.sample("ak", "a2026zz", ids: ["aka2026zz", "at00aa"])
        var cache = CacheInMemory()
        for id in gone.aliases { cache.aliases[id] = .departed(key: 4, sourceTime: 2) }
        cache.aliases["us7000zz01"] = .departed(key: 7, sourceTime: 1)
        func returning(_ feature: Quake, listed: Set<String> = []) throws -> QuakeKey? {
            let identity = try identity(of: feature, in: cache, listed: listed)
            #expect(identity.quakes.isEmpty && !identity.isSplit)
            #expect(
                identity.aliasesToAssign(to: identity.restoredQuake?.key).allSatisfy { $0 == feature.id || $0 == "pr9" }
            )
            return identity.restoredQuake?.key
        }
        let other = Quake.sample("pr", "9", ids: ["aka2026zz", "pr9"])
        for isKept in [true, false] {
            // Without its history, only its own id restores a quake.
            cache.tombstones = isKept ? [4: gone, 7: .sample("us", "7000zz01")] : [:]
            #expect(try returning(gone) == 4)
            #expect(try returning(.sample("us", "7000zz01", ids: ["aka2026zz", "us7000zz01"])) == 7)
            #expect(try returning(other) == (isKept ? 4 : nil))
            #expect(try returning(.sample("pr", "9", ids: ["at00aa", "pr9"])) == nil)
            #expect(try returning(.sample("at", "00aa")) == 4)
        }
        cache.tombstones = [4: gone]
        #expect(try returning(other, listed: ["aka2026zz"]) == nil)
        #expect(try returning(.sample("at", "00aa"), listed: ["aka2026zz"]) == nil)
        cache.tombstones = [4: gone]
        #expect(try returning(.sample("ak", "9", ids: ["aka2026zz", "ak9"])) == 4)
    }
}
