import QuakeTestSupport
import Testing

@testable import QuakeMirror

@Suite("Rules 1 to 5: which quake of the cache a feature is") struct IdentityTests {
    /// Returns the keys of the quakes that `feature` identifies. The snapshot lists `listed` and has claimed some.
    private func identity(
        of feature: Quake, in cache: CacheInMemory, listed: Set<String> = [],
        absence: ListedIDs.Absence = .always, claimed: Set<QuakeKey> = []
    ) throws -> Identity {
        try Identity(
            of: feature, listedIDs: ListedIDs(absence: absence) { listed.union([feature.id]) },
            claimed: claimed, cache: cache)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let cached: [Quake]
        let feature: Quake
        let claimed: Set<QuakeKey>
        let keys: [QuakeKey]

        init(
            _ description: String, _ cached: Quake..., feature: Quake, claimed: Set<QuakeKey> = [],
            keys: [QuakeKey] = []
        ) {
            (testDescription, self.cached, self.feature) = (description, cached, feature)
            (self.claimed, self.keys) = (claimed, keys)
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
                "A quake that another feature of the snapshot claimed is nobody else's", ci,
                feature: .sample("nn", "4", ids: ["ci3", "nn4"]), claimed: [1]),
            Case(
                "Of two quakes of one network a feature merges with the older one only", us, .sample("us", "9"),
                feature: .sample("ci", "3", ids: ["ci3", "us1", "us9"]), keys: [1]),
            Case("A shared alias merges never, with one missing", ciShared, nnShared, feature: nnShared, keys: [2]),
            Case("nor with the other", ciShared, nnShared, feature: ciShared, keys: [1]),
            Case(
                "An alias preferred on neither side ties a feature to one quake", ciShared, nnOther,
                feature: .sample("us", "1", ids: ["at9", "us1"]), keys: [1]),
            Case("but not to two", ciShared, nnOther, feature: .sample("us", "1", ids: ["at9", "gcmt1", "us1"])),
        ]
    }()

    @Test("4: Whom a feature that shares ids is", arguments: cases) func shared(example: Case) throws {
        let cache = CacheInMemory(example.cached)
        let identity = try identity(of: example.feature, in: cache, claimed: example.claimed)
        #expect(identity.quakes.map(\.stored.key) == example.keys)
    }

    @Test("4: An id that is not the preferred one of a quake identifies it only if the quake must be listed")
    func absentHolder() throws {
        let mayBeThere = ListedIDs.Absence.gone { _ in false }
        var cache = CacheInMemory(.sample("nc", "40000042"))
        cache.aliases["tw652158"] = .live(key: 1)
        let former = Quake.sample("tw", "652158")
        #expect(try identity(of: former, in: cache).quakes.map(\.stored.key) == [1])
        for absence in [mayBeThere, .unchanged] {
            let split = try identity(of: former, in: cache, absence: absence)
            #expect(split.quakes.isEmpty && split.isSplit)
        }
        // A list of changes would include a quake that lost its id.
        let both = CacheInMemory(.sample("nc", "40000042", ids: ["nc40000042", "tw652158"]))
        #expect(try identity(of: former, in: both, absence: .unchanged).quakes.map(\.stored.key) == [1])
        #expect(try identity(of: former, in: both, absence: mayBeThere).isSplit)
        let renamed = Quake.sample("tw", "652158", ids: ["nc40000042", "tw652158"])
        #expect(try identity(of: renamed, in: cache, absence: mayBeThere).quakes.map(\.stored.key) == [1])
        // at00n3rz0w was among the ids of two quakes.
        let shared = CacheInMemory(.sample("ci", "49000305", ids: ["at00n3rz0w", "ci49000305"]))
        let other = Quake.sample("nn", "00990306", ids: ["at00n3rz0w", "nn00990306"])
        for absence in [mayBeThere, .unchanged] {
            #expect(try identity(of: other, in: shared, absence: absence).quakes.isEmpty)
        }
    }

    @Test("8: A deleted quake returns as what it would be identified by, its own id first, and never by a third id")
    func departed() throws {
        let gone = Quake.sample("ak", "a2026zz", ids: ["aka2026zz", "at00aa"])
        var cache = CacheInMemory()
        for id in gone.aliases { cache.aliases[id] = .departed(key: 4, generated: 2) }
        cache.aliases["us7000zz01"] = .departed(key: 7, generated: 1)
        func returning(_ feature: Quake, listed: Set<String> = []) throws -> QuakeKey? {
            let identity = try identity(of: feature, in: cache, listed: listed)
            #expect(identity.quakes.isEmpty && !identity.isSplit)
            #expect(
                identity.aliasesToAssign(to: identity.returning?.key).allSatisfy { $0 == feature.id || $0 == "pr9" })
            return identity.returning?.key
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
        #expect(try returning(.sample("ak", "9", ids: ["aka2026zz", "ak9"])) == nil)
    }
}
