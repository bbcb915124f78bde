import QuakeModel
import QuakeTestSupport
import Testing

@testable import QuakeStore

@Suite("What a cache claims to hold", .scratch)
struct ClaimLedgerTests {
    private static let day = Duration.seconds(86_400)

    private func day(_ number: Int64) -> Timestamp { Timestamp(milliseconds: number * 86_400_000) }

    private func claim(
        _ first: Int64, _ last: Int64, from magnitude: Double? = nil, asOf: Int64 = 1000, isOpenEnded: Bool = false,
        source: Claim.Source = .backfill
    ) -> Claim {
        Claim(
            source: source, conditions: QuakeFilter(minimumMagnitude: magnitude),
            originTimes: day(first)..<day(last), asOf: day(asOf), isOpenEnded: isOpenEnded)
    }

    private func claims(_ claims: Claim...) -> [Claim] {
        var ledger = ClaimLedger()
        claims.forEach { ledger.add($0) }
        return ledger.claims
    }

    @Test("What a backfill has asked for and not fetched is known until it is fetched, forgotten, or asked for again")
    func unfinished() {
        func ledger(_ change: (inout ClaimLedger) -> Void) -> ClaimLedger {
            var ledger = ClaimLedger()
            ledger.begin([claim(0, 30, from: 5, asOf: 0), claim(40, 50, asOf: 40)])
            change(&ledger)
            return ledger
        }
        let rest = [claim(10, 30, from: 5, asOf: 0), claim(40, 50, asOf: 40)]
        #expect(ledger { $0.add(claim(0, 10, from: 5)) }.unfinished == rest)
        #expect(ledger { $0.add(claim(0, 10, from: 4)) }.unfinished == rest)
        #expect(ledger { $0.add(claim(0, 10, from: 4)) }.claims == [claim(0, 10, from: 4)])
        #expect(ledger { $0.add(claim(0, 10, from: 6)) }.unfinished == ledger { _ in }.unfinished)
        #expect(ledger { $0.add(claim(0, 60, source: .feed)) }.unfinished == ledger { _ in }.unfinished)
        #expect(ledger { _ = $0.forget(QuakeFilter(), in: day(0)..<day(60)) }.unfinished == [])
        #expect(ledger { $0.finish(QuakeFilter(minimumMagnitude: 5), in: day(0)..<day(60)) }.unfinished == [rest[1]])
        #expect(ledger { $0.begin([claim(-5, 60, asOf: -5)]) }.unfinished == [claim(-5, 60, asOf: -5)])
    }

    @Test("What is unfinished is kept in the cache, is no claim, and is no finding of a check")
    func unfinishedRows() throws {
        let directory = try ScratchDirectory.ofTest()
        let context = try QuakeCache(path: directory.path("quakes.db")).context(access: .creating)
        let asked = claim(0, 30, from: 5, asOf: 0)
        try context.write { try $0.beginBackfill(of: [asked]) }
        #expect(try context.sources.unfinishedBackfills() == [asked])
        #expect(try context.sources.claims().isEmpty && context.sources.keptClaims().isEmpty)
        #expect(try context.maintenance.verify().isSound)
        try context.write { try $0.add(claim(0, 20, from: 5)) }
        #expect(try context.sources.unfinishedBackfills() == [claim(20, 30, from: 5, asOf: 0)])
        try context.write { try $0.finishBackfill(of: QuakeFilter(), in: day(0)..<day(30)) }
        #expect(try context.sources.unfinishedBackfills().isEmpty)
    }

    @Test("Windows that follow each other become one part, as of the earlier moment")
    func neighbors() {
        let found = claims(claim(0, 10, asOf: 1001), claim(20, 30), claim(10, 20, asOf: 1001))
        #expect(found == [claim(0, 30, asOf: 1000)])
    }

    @Test("Neighbors that were asked for on different days stay apart, and so do other conditions")
    func aclaim() {
        #expect(claims(claim(0, 10, asOf: 900), claim(10, 20)).count == 2)
        #expect(claims(claim(0, 10, from: 4), claim(10, 20, from: 5)).count == 2)
    }

    @Test("A part replaces what it includes of others and leaves the rest, and whether that has an end")
    func replacement() {
        let found = claims(claim(0, 30, from: 5, asOf: 900, isOpenEnded: true), claim(10, 20, from: 4))
        #expect(
            found == [
                claim(0, 10, from: 5, asOf: 900), claim(10, 20, from: 4),
                claim(20, 30, from: 5, asOf: 900, isOpenEnded: true),
            ])
        #expect(claims(claim(0, 30, from: 5, isOpenEnded: true), claim(0, 30, from: 4)).first?.isOpenEnded == true)
        #expect(claims(claim(0, 30, from: 4), claim(0, 30, from: 5)) == [claim(0, 30, from: 4), claim(0, 30, from: 5)])
        // Who asked for the end is extended, not what takes its place there.
        #expect(
            claims(claim(0, 30, from: 5, asOf: 900, isOpenEnded: true), claim(20, 30, from: 4))
                == [claim(0, 20, from: 5, asOf: 900, isOpenEnded: true), claim(20, 30, from: 4)])
        #expect(
            claims(claim(0, 30, asOf: 900, isOpenEnded: true), claim(20, 30))
                == [claim(0, 20, asOf: 900), claim(20, 30, isOpenEnded: true)])
    }

    @Test("What is forgotten is held no longer: the parts that a filter includes, in its times")
    func forgetting() throws {
        let (_, context) = try ScratchStore.ofTest()
        for held in [claim(0, 30, from: 5, isOpenEnded: true), claim(40, 50, from: 3)] {
            try context.write { try $0.add(held) }
        }
        var filter = QuakeFilter(minimumMagnitude: 4)
        filter.since = day(20)
        #expect(try context.sources.forgetClaims(filter) == [claim(20, 30, from: 5, isOpenEnded: true)])
        #expect(try context.sources.claims() == [claim(0, 20, from: 5), claim(40, 50, from: 3)])
        #expect(try context.sources.forgetClaims().count == 2)
        // A part that ends where the forgotten one began is not extended into its place.
        for held in [claim(0, 30, from: 5, isOpenEnded: true), claim(20, 30, from: 3, isOpenEnded: true)] {
            try context.write { try $0.add(held) }
        }
        filter = QuakeFilter()
        filter.since = day(20)
        #expect(try context.sources.forgetClaims(filter) == [claim(20, 30, from: 3, isOpenEnded: true)])
        #expect(try context.sources.claims() == [claim(0, 20, from: 5)])
        try context.sources.forgetClaims()
        #expect(try context.sources.claims().isEmpty && context.sources.forgetClaims().isEmpty)
    }

    @Test("An update moves the parts on in its window alone, whatever their conditions")
    func advance() {
        var ledger = ClaimLedger([claim(0, 20, asOf: 900), claim(0, 20, from: 5, asOf: 900)])
        ledger.advance(day(5)..<day(20), to: day(1000))
        #expect(Set(ledger.claims.map(\.asOf)) == [day(900), day(1000)])
        ledger.advance(day(0)..<day(5), to: day(1000))
        #expect(ledger.claims == [claim(0, 20), claim(0, 20, from: 5)])
        ledger.advance(day(0)..<day(20), to: day(950))
        #expect(ledger.claims.allSatisfy { $0.asOf == day(1000) })
    }

    @Test("Boxes and circles include what lies inside, also over the 180th meridian")
    func regions() throws {
        func box(_ west: Double, _ east: Double) throws -> QuakeFilter {
            QuakeFilter(boundingBox: try BoundingBox(west: west, south: -10, east: east, north: 10))
        }
        let pacific = try box(150, -150)
        for (west, east) in [(160.0, 170.0), (-170, -160), (170, -170), (150, -150)] {
            let inner = try box(west, east)
            #expect(pacific.includes(inner))
        }
        let (around, asia) = (try box(-140, 140), try box(150, 180))
        #expect(!pacific.includes(around) && !asia.includes(pacific))
        let strip = try box(0, 10)
        #expect(!strip.includes(QuakeFilter()) && QuakeFilter().includes(strip))
        let circle = QuakeFilter(circle: .init(center: GeographicPoint(latitude: 1, longitude: 2), radiusKilometers: 3))
        #expect(QuakeFilter().includes(circle) && circle.includes(circle) && !circle.includes(QuakeFilter()))
    }

    @Test("The cache keeps every condition, in the transaction of the quakes")
    func storage() throws {
        let filter = QuakeFilter(
            minimumMagnitude: 2, maximumMagnitude: 8, minimumDepthKilometers: 0, maximumDepthKilometers: 70,
            boundingBox: try BoundingBox(west: 170, south: -10, east: -170, north: 10),
            circle: .init(center: GeographicPoint(latitude: 1, longitude: 2), radiusKilometers: 300),
            eventTypes: ["earthquake", "quarry blast"])
        let claim = Claim(conditions: filter, originTimes: day(0)..<day(1), asOf: day(2), isOpenEnded: true)
        let (scratch, context) = try ScratchStore.ofTest()
        #expect(throws: StoreError.self) {
            try context.write { writer in
                try writer.add(claim)
                throw StoreError.contextState("a failure after it")
            }
        }
        #expect(try context.sources.claims().isEmpty)
        try context.write { try $0.add(claim) }
        #expect(try scratch.store.context(access: .reading).sources.claims() == [claim])
        try context.write { try $0.advanceClaims(claim.originTimes, to: day(3)) }
        #expect(try context.sources.claims().map(\.asOf) == [day(3)])
    }

    @Test("Claims of feeds and of backfills stay apart, and old ones of feeds become one row")
    func sources() {
        let kept = claim(0, 30)
        #expect(claims(kept, claim(10, 20, source: .feed)).count == 2)
        var ledger = ClaimLedger()
        for number in 0..<500 as Range<Int64> {
            ledger.add(claim(number, number + 2, asOf: number + 2, source: .feed))
        }
        #expect(ledger.claims.count < 40 && ledger.gaps(at: day(501)) == [])
        #expect(ledger.claims.last?.asOf == day(501) || ledger.claims.last?.asOf == day(500))
    }

    @Test("A claim of a band is part of one of all quakes, closes no gap of it, and gives way to it")
    func bands() {
        let (all, band) = (claim(0, 10, asOf: 10, source: .feed), claim(5, 20, from: 2.45, asOf: 20, source: .feed))
        let rest = claim(10, 20, from: 2.45, asOf: 20, source: .feed)
        #expect(claims(all, band) == [all, rest] && claims(band, all) == [all, rest])
        #expect(claims(all, claim(2, 8, from: 2.45, source: .feed)) == [all])
        var ledger = ClaimLedger([all, rest])
        ledger.add(claim(20, 30, asOf: 30, source: .feed))
        #expect(ledger.gaps(at: day(30)) == [day(10)..<day(20)])
        #expect(ledger.firstGap(in: QuakeFilter(minimumMagnitude: 2.5, since: day(0), until: day(30))) == nil)
        ledger.takeBack([rest: day(12)..<day(14)])
        #expect(ledger.gaps(at: day(30)) == [day(10)..<day(20)])
        ledger.takeBack(daysOf: [day(11)])
        #expect(ledger.gaps(at: day(30)) == [day(10)..<day(20)])
        // Feeds that take turns leave no row for each day.
        for number in 30..<400 as Range<Int64> {
            for (magnitude, delay) in [(nil, 0), (2.45, 1_000), (4.45, 2_000)] as [(Double?, Int64)] {
                var held = claim(number - 1, number, from: magnitude, asOf: number, source: .feed)
                held.originTimes =
                    held.originTimes.lowerBound + .milliseconds(delay)..<held.originTimes.upperBound
                    + .milliseconds(delay)
                ledger.add(held)
            }
        }
        #expect(ledger.claims.count < 40)
    }

    // MARK: Taking back

    /// What remains of `held` after a loss between two days, by `purge` where one is given.
    private func remains(
        of held: [Claim], without loss: Range<Int64>, purge: QuakeFilter? = nil, isHit: (Claim) -> Bool = { _ in true }
    ) -> ClaimLedger {
        var ledger = ClaimLedger(held)
        let hit = held.filter(isHit).map { ($0, day(loss.lowerBound)..<day(loss.upperBound)) }
        ledger.takeBack(Dictionary(hit) { first, _ in first }, purge: purge)
        return ledger
    }

    @Test("A purge by time cuts the origin times, also where it deleted little, and an end that is cut stays cut")
    func purgeByTime() {
        let held = claim(0, 30, isOpenEnded: true)
        #expect(
            remains(of: [held], without: 3..<4, purge: QuakeFilter(until: day(10))).claims
                == [claim(10, 30, isOpenEnded: true)])
        #expect(
            remains(of: [held], without: 13..<14, purge: QuakeFilter(since: day(10), until: day(20))).claims
                == [claim(0, 10), claim(20, 30, isOpenEnded: true)])
        #expect(remains(of: [held], without: 13..<14, purge: QuakeFilter(since: day(10))).claims == [claim(0, 10)])
        #expect(remains(of: [held], without: 13..<14, purge: QuakeFilter()).claims == [])
    }

    @Test("A purge by magnitude narrows the conditions; nothing is said of quakes without a magnitude")
    func purgeByMagnitude() {
        let held = claim(0, 30, isOpenEnded: true)
        #expect(
            remains(of: [held], without: 3..<4, purge: QuakeFilter(maximumMagnitude: 3)).claims
                == [claim(0, 30, from: 3.01, isOpenEnded: true)])
        let between = remains(
            of: [held], without: 3..<4, purge: QuakeFilter(minimumMagnitude: 2, maximumMagnitude: 2.3))
        #expect(
            Set(between.claims.map(\.conditions)) == [
                QuakeFilter(maximumMagnitude: 1.99), QuakeFilter(minimumMagnitude: 2.31),
            ])
        // Conditions that leave nothing over are no claim.
        #expect(
            remains(of: [claim(0, 30, from: 5)], without: 3..<4, purge: QuakeFilter(minimumMagnitude: 4)).claims == [])
    }

    @Test("A purge by time and magnitude narrows the conditions in these times alone")
    func purgeByBoth() {
        let purge = QuakeFilter(maximumMagnitude: 3, until: day(10))
        #expect(
            remains(of: [claim(0, 30)], without: 3..<4, purge: purge).claims
                == [claim(0, 10, from: 3.01), claim(10, 30)])
    }

    @Test("Every other deletion takes back from the earliest to the latest quake, in the claims that accepted one")
    func otherDeletions() {
        let (all, large) = (claim(0, 30, isOpenEnded: true), claim(0, 30, from: 5))
        let left = remains(of: [all, large], without: 3..<6, purge: QuakeFilter(eventTypes: ["explosion"])) {
            $0.conditions == QuakeFilter()
        }
        #expect(Set(left.claims) == [claim(0, 3), large, claim(6, 30, isOpenEnded: true)])
        #expect(remains(of: [all], without: 3..<6).claims == [claim(0, 3), claim(6, 30, isOpenEnded: true)])
    }

    @Test("What was purged of what feeds had covered is no gap, and no claim")
    func purgedIsNotMissed() {
        let held = claim(0, 30, asOf: 30, source: .feed)
        let left = remains(of: [held], without: 3..<6)
        #expect(left.claims.count == 2 && left.gaps(at: day(31)) == [])
        let narrowed = remains(of: [held], without: 3..<6, purge: QuakeFilter(maximumMagnitude: 3))
        #expect(narrowed.gaps(at: day(31)) == [])
        // What no feed had covered is.
        var slept = left
        slept.add(claim(40, 50, asOf: 50, source: .feed))
        #expect(slept.gaps(at: day(50)) == [day(30)..<day(40)])
    }
}

@Suite("Deletions take claims back in the transaction that makes them false")
struct ClaimLossTests {
    private let start = Timestamp.sample - .seconds(30 * 86_400)

    /// A cache with two quakes, M 3 a day after the start and M 5 ten days after it, and claims of all quakes.
    private func withClaims(_ body: (ScratchStore, QuakeContext) throws -> Void) throws {
        try ScratchStore.with { scratch, context in
            for (number, magnitude) in [(1, 3.0), (10, 5.0)] {
                let time = start + .seconds(number * 86_400)
                try context.record(Quake(sample: "us700\(number)", time: time, magnitude: magnitude))
            }
            try context.write { try $0.add(Claim(originTimes: start..<Timestamp.sample, asOf: .sample)) }
            try body(scratch, context)
        }
    }

    private func second(of day: Int) -> Range<Timestamp> {
        let time = start + .seconds(day * 86_400)
        return time..<time + .milliseconds(1)
    }

    @Test("A purge, an edit, a save, an undo: each raises the epoch and takes back what it made false")
    func acts() throws {
        let first = second(of: 1)
        let rest = [start..<first.lowerBound, first.upperBound..<Timestamp.sample]
        let acts: [(QuakeContext) throws -> Void] = [
            { context in
                let quake = try context.fetch().first { $0.quake.magnitude == 3 }
                try context.edits.delete(#require(quake))
                try context.edits.save()
            },
            { context in try context.write { try $0.delete(where: QuakeFilter(maximumMagnitude: 4, networks: ["us"])) }
            },
            { context in try context.maintenance.purge(QuakeFilter(maximumMagnitude: 4, networks: ["us"])) },
            { context in try context.history.undo(transaction: 1) },
            { context in
                let quake = try #require(try context.fetch().first { $0.quake.magnitude == 3 })
                try context.write { try $0.update(quake, to: quake.quake.with { $0.magnitude = 1 }) }
            },
            { context in
                let quake = try #require(try context.fetch().first { $0.quake.magnitude == 3 })
                try context.write { try $0.update(quake, to: quake.quake.with { $0.hypocenter.longitude += 1 }) }
            },
        ]
        for act in acts {
            try withClaims { _, context in
                let epoch = try context.sources.claimEpoch()
                try act(context)
                #expect(try context.sources.claims().map(\.originTimes) == rest)
                #expect(try context.sources.claimEpoch() == epoch + 1)
            }
        }
    }

    @Test("No claim that accepts a purged quake is extended over it; the others still are")
    func openEnds() throws {
        try withClaims { _, context in
            try context.sources.forgetClaims()
            let small = QuakeFilter(maximumMagnitude: 4)
            try context.write { writer in
                for (conditions, days) in [(QuakeFilter(), 0..<5), (small, 0..<5), (QuakeFilter(), 7..<30)] {
                    let times = start + .seconds(days.lowerBound * 86_400)..<start + .seconds(days.upperBound * 86_400)
                    try writer.add(Claim(conditions: conditions, originTimes: times, asOf: .sample, isOpenEnded: true))
                }
            }
            try context.maintenance.purge(QuakeFilter(minimumMagnitude: 5, networks: ["us"]))
            let open = try context.sources.claims().filter(\.isOpenEnded)
            #expect(open.map(\.conditions) == [small, QuakeFilter()])
            #expect(open.last?.originTimes == second(of: 10).upperBound..<Timestamp.sample)
        }
    }

    @Test("A purge by time or magnitude keeps what it does not touch")
    func purges() throws {
        try withClaims { _, context in
            try context.maintenance.purge(QuakeFilter(maximumMagnitude: 3))
            #expect(try context.sources.claims().map(\.conditions.minimumMagnitude) == [3.01])
            try context.maintenance.purge(QuakeFilter(until: second(of: 11).lowerBound))
            #expect(try context.sources.claims().map(\.originTimes) == [second(of: 11).lowerBound..<Timestamp.sample])
        }
    }

    @Test("What deletes nothing, another value, a dry run and a deletion by the service take nothing back")
    func harmless() throws {
        try withClaims { _, context in
            let before = (try context.sources.claims(), try context.sources.claimEpoch())
            try context.maintenance.purge(QuakeFilter(minimumMagnitude: 9))
            try context.maintenance.purge(QuakeFilter(), dryRun: true)
            let quake = try #require(try context.fetch().first)
            try context.write { try $0.update(quake, to: quake.quake.with { $0.place = "elsewhere" }) }
            try context.write { writer in
                let known = try #require(try writer.knownQuake(quake.key))
                try writer.delete(known.stored, reason: .retracted)
            }
            #expect(try context.sources.claims() == before.0 && context.sources.claimEpoch() == before.1)
        }
    }

    @Test("A quake that is deleted while a backfill is about to claim it ends the plan of that backfill")
    func unclaimed() throws {
        try withClaims { _, context in
            try context.sources.forgetClaims()
            let epoch = try context.sources.claimEpoch()
            try context.maintenance.purge(QuakeFilter(maximumMagnitude: 3))
            #expect(try context.sources.claimEpoch() == epoch + 1)
        }
    }

    @Test("A restore brings the claims of the backup, and an epoch above both")
    func restore() throws {
        try withClaims { scratch, context in
            let backup = try context.maintenance.backup(to: scratch.path + ".copy")
            let held = try context.sources.claims()
            for quake in try context.fetch() {
                try context.edits.delete(quake)
                try context.edits.save()
            }
            let epoch = try context.sources.claimEpoch()
            #expect(try epoch == 2 && context.sources.claims() != held)
            try scratch.store.restore(from: backup.path)
            #expect(try context.sources.claims() == held)
            #expect(try context.sources.claimEpoch() == epoch + 1)
            #expect(try context.maintenance.verify(full: true).findings == [])
        }
    }

    @Test("No restore runs beside a backfill")
    func lock() throws {
        try withClaims { scratch, context in
            let backup = try context.maintenance.backup(to: scratch.path + ".copy")
            _ = try CacheLock.hold(cacheAt: scratch.path) {
                #expect(throws: StoreError.backfilling(path: scratch.path)) {
                    try scratch.store.restore(from: backup.path)
                }
            }
        }
    }
}
