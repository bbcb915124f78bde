import QuakeTestSupport
import Testing

@testable import QuakeMirror

@Suite("Rules 1 to 5: which quake of the cache a feature is")
struct IdentityTests {
    /// Returns the keys of the quakes that `feature` identifies. The snapshot lists `listed` and has claimed some.
    private func identity(
        of feature: Quake, in cache: CacheInMemory, listed: Set<String> = [],
        absence: ListedIDs.Absence = .always, claimed: Set<QuakeKey> = []
    ) throws -> Identity {
        try Identity(
            of: feature, listedIDs: ListedIDs(absence: absence) { listed.union([feature.id]) },
            claimed: claimed, cache: cache)
    }

    @Test("1: A code used by two networks is two quakes")
    func sameCode() throws {
        let cache = CacheInMemory(.sample("tx", "2021ocoi"))
        #expect(try identity(of: .sample("ok", "2021ocoi"), in: cache).quakes.isEmpty)
    }

    @Test("2: Ids are compared without regard to case")
    func otherCase() throws {
        let cache = CacheInMemory(.sample("us", "7000ABCD"))
        #expect(try identity(of: .sample("us", "7000abcd"), in: cache).quakes.map(\.stored.key) == [1])
    }

    @Test("3: A feature that lists the preferred id of a quake is that quake under a new id")
    func rename() throws {
        let cache = CacheInMemory(.sample("pt", "25217001"))
        let renamed = Quake.sample("us", "6000qy7q", ids: ["pt25217001", "us6000qy7q"])
        #expect(try identity(of: renamed, in: cache).quakes.map(\.stored.key) == [1])
    }

    @Test("3: A feature that lists the preferred ids of two quakes is both, the exact one first")
    func merge() throws {
        let cache = CacheInMemory(.sample("ak", "a2026zz"), .sample("us", "7000zz01"))
        let both = Quake.sample("us", "7000zz01", ids: ["aka2026zz", "us7000zz01"])
        #expect(try identity(of: both, in: cache).quakes.map(\.stored.key) == [2, 1])
    }

    @Test("3: An alias that comes back as a feature of its own is split off")
    func split() throws {
        var holder = Quake.sample("us", "7000zz01", ids: ["aka2026zz", "us7000zz01"])
        let cache = CacheInMemory(holder)
        holder.magnitude = 3
        let identity = try identity(of: .sample("ak", "a2026zz"), in: cache, listed: ["us7000zz01"])
        #expect(identity.quakes.isEmpty && identity.isSplit)
    }

    @Test("4: A quake listed under its own id is nobody else's")
    func listedQuake() throws {
        let cache = CacheInMemory(.sample("ci", "49000301"))
        let other = Quake.sample("nn", "00990307", ids: ["ci49000301", "nn00990307"])
        #expect(try identity(of: other, in: cache, listed: ["ci49000301"]).quakes.isEmpty)
    }

    @Test("4: A quake that another feature of the snapshot claimed is nobody else's")
    func claimedQuake() throws {
        let cache = CacheInMemory(.sample("ci", "49000301"))
        let other = Quake.sample("nn", "00990307", ids: ["ci49000301", "nn00990307"])
        #expect(try identity(of: other, in: cache, claimed: [1]).quakes.isEmpty)
    }

    @Test("4: Two ids of one network are two events")
    func sameNetwork() throws {
        let cache = CacheInMemory(.sample("us", "7000zz01"))
        let other = Quake.sample("us", "7000zz09", ids: ["us7000zz01", "us7000zz09"])
        #expect(try identity(of: other, in: cache).quakes.isEmpty)
    }

    @Test("4: Of two quakes of one network a feature merges with the older one only")
    func mergeOfOneNetwork() throws {
        let cache = CacheInMemory(.sample("us", "7000zz01"), .sample("us", "7000zz02"))
        let other = Quake.sample("ci", "49000301", ids: ["ci49000301", "us7000zz01", "us7000zz02"])
        #expect(try identity(of: other, in: cache).quakes.map(\.stored.key) == [1])
    }

    @Test("4: An alias that two quakes share merges them never, whether both are listed or one is missing")
    func sharedAlias() throws {
        let (left, right) = (
            Quake.sample("ci", "49000305", ids: ["at00n3rz0w", "ci49000305"]),
            Quake.sample("nn", "00990306", ids: ["at00n3rz0w", "nn00990306"])
        )
        let cache = CacheInMemory(left, right)
        #expect(try identity(of: right, in: cache, listed: ["ci49000305"]).quakes.map(\.stored.key) == [2])
        #expect(try identity(of: right, in: cache).quakes.map(\.stored.key) == [2])
        #expect(try identity(of: left, in: cache).quakes.map(\.stored.key) == [1])
    }

    @Test("4: An alias preferred on neither side ties a feature to one quake, but not to two")
    func weakAliases() throws {
        let one = Quake.sample("ci", "49000305", ids: ["at00aa", "ci49000305"])
        let two = Quake.sample("nn", "00990306", ids: ["gcmt01", "nn00990306"])
        let single = Quake.sample("us", "7000zz01", ids: ["at00aa", "us7000zz01"])
        let double = Quake.sample("us", "7000zz01", ids: ["at00aa", "gcmt01", "us7000zz01"])
        #expect(try identity(of: single, in: CacheInMemory(one, two)).quakes.map(\.stored.key) == [1])
        #expect(try identity(of: double, in: CacheInMemory(one, two)).quakes.isEmpty)
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
