import QuakeTestSupport
import Testing

@testable import QuakeStore

@Suite("After a purge and its undo the cache is as it was", .scratch) final class UndonePurgeTests: SuiteWithCache {
    private static let start = Timestamp.sample - .seconds(30 * 86_400)

    /// Fills the cache with two quakes, a doubt about one, and claims from a feed and backfills of all or large quakes.
    override init() throws {
        try super.init()
        for (number, magnitude) in [(1, 0.5), (10, 5.0)] {
            let time = Self.start + .seconds(number * 86_400)
            try context.record(Quake(sample: "us700\(number)", time: time, magnitude: magnitude))
        }
        let key = try #require(try context.key(ofID: "us7001"))
        try context.write { writer in
            try writer.note(Doubt(quakeKey: key, kind: .absent, generated: .sample))
            let (all, past) = (Self.start..<Timestamp.sample, Self.start - .seconds(86_400)..<Timestamp.sample)
            try writer.add(Claim(source: .feed, originTimes: all, asOf: .sample))
            try writer.changeCoverage { $0.ask(for: QuakeFilter(), in: Self.start..<Coverage.forever) }
            try writer.add(Claim(originTimes: all, asOf: .sample))
            try writer.add(Claim(conditions: QuakeFilter(minimumMagnitude: 4), originTimes: past, asOf: .sample))
            try writer.note([OpenQuestion(id: "us7002", originTimes: all, reason: "no magnitude")])
        }
    }

    private struct State: Equatable {
        let quakes: [StoredQuake]
        let coverage: Coverage
        let doubts: [Doubt]
        let gaps: [Range<Timestamp>]
        let revisions: RevisionSummary

        init(_ context: QuakeContext) throws {
            quakes = try context.fetch()
            (coverage, doubts) = (try context.sources.coverage(), try context.sources.doubts())
            gaps = try context.sources.coverage().gaps(at: .sample + .seconds(86_400 * 60))
            revisions = try context.history.revisions()
        }
    }

    @Test(
        "Quakes, claims, doubts and the summary",
        arguments: [
            QuakeFilter(), QuakeFilter(maximumMagnitude: 1), QuakeFilter(networks: ["us"]),
            QuakeFilter(since: start + .seconds(5 * 86_400)), QuakeFilter(minimumMagnitude: 4, placesContain: ["a"]),
        ])
    func state(filter: QuakeFilter) throws {
        let before = try State(context)
        let purge = try #require(try context.maintenance.purge(filter).transaction)
        #expect(try State(context).coverage != before.coverage)
        let undo = try #require(try context.history.undo(transaction: purge.number).transaction)
        #expect(try State(context) == before)
        // And in the opposite direction.
        try context.history.undo(transaction: undo.number)
        let redone = try State(context)
        #expect(redone.quakes.count < before.quakes.count && redone.coverage != before.coverage)
        #expect(try context.maintenance.verify(full: true).findings == [])
    }

    @Test("What was undone is no revision, and neither is the undo; redone it is one again") func revisions() throws {
        let quake = try #require(try context.quake(forID: "us70010"))
        let revision = try context.write {
            try $0.update(quake, to: quake.quake.with { $0.magnitude = 9 }, reason: .revised)
        }
        var number = try #require(revision.transaction).number
        for count in [1, 0, 1, 0] {
            let revisions = try context.history.revisions()
            #expect(revisions.moveCount == count && revisions.reasons == (count == 1 ? [.revised: 1] : [:]))
            number = try #require(try context.history.undo(transaction: number).transaction).number
        }
    }

    @Test("Coverage that something else removed since stays removed") func laterLoss() throws {
        let purge = try #require(try context.maintenance.purge(QuakeFilter(maximumMagnitude: 1)).transaction)
        try context.maintenance.purge(QuakeFilter())
        let coverage = try context.sources.coverage()
        try context.history.undo(transaction: purge.number)
        #expect(try context.sources.coverage() == coverage && context.sources.doubts().count == 1)
    }

    @Test("What a refresh claimed meanwhile stays, with the rest of what was purged", arguments: [0, 5])
    func claimedMeanwhile(seconds: Int) throws {
        let purge = try #require(try context.maintenance.purge(QuakeFilter(networks: ["us"])).transaction)
        let later = Timestamp.sample + .seconds(seconds)
        try context.write { try $0.add(Claim(source: .feed, originTimes: Self.start..<later, asOf: later)) }
        try context.history.undo(transaction: purge.number)
        let claims = try context.sources.claims()
        #expect(claims.filter { $0.source == .feed }.map(\.asOf) == [later])
        #expect(claims.contains { $0.source == .backfill && $0.conditions == QuakeFilter() && $0.isOpenEnded })
    }

    private func operations(since token: HistoryToken, coalesced: Bool = false) throws -> [String] {
        var descriptor = HistoryDescriptor(start: .token(token))
        descriptor.isCoalesced = coalesced
        return try context.relevantChanges(descriptor).map(\.operation.rawValue)
    }

    @Test("A purge and its undo are told as they happened, and make no net effect", arguments: [false, true])
    func readers(coalesced: Bool) throws {
        let early = try context.history.head()
        let purge = try #require(try context.maintenance.purge(QuakeFilter()).transaction)
        #expect(try operations(since: early, coalesced: coalesced) == ["delete", "delete"])
        let undo = try #require(try context.history.undo(transaction: purge.number).transaction)
        let both = ["delete", "delete", "undo", "undo"]
        #expect(try operations(since: early, coalesced: coalesced) == (coalesced ? [] : both))
        #expect(try operations(since: purge.token, coalesced: coalesced) == ["undo", "undo"])
        try context.history.undo(transaction: undo.number)
        let last = (coalesced ? [] : both) + ["delete", "delete"]
        #expect(try operations(since: early, coalesced: coalesced) == last)
        #expect(try operations(since: undo.token, coalesced: coalesced) == ["delete", "delete"])
    }

    @Test("An undo that restores other values than the newest purge deleted is told, to every reader")
    func olderPurge() throws {
        let early = try context.history.head()
        let quake = try #require(try context.quake(forID: "us70010"))
        let purge = try #require(try context.maintenance.purge(QuakeFilter(minimumMagnitude: 4)).transaction)
        let revised = quake.quake.with { $0.magnitude = 6 }
        try context.write { try $0.insert(revised, reason: .restored, key: quake.key) }
        let later = try context.history.head()
        try context.maintenance.purge(QuakeFilter(minimumMagnitude: 4))
        _ = try context.history.undo(transaction: purge.number)
        #expect(try context.quake(forID: "us70010")?.quake.magnitude == 5)
        #expect(try operations(since: later) == ["delete", "undo"])
        // The first purge and the return of the quake with another magnitude are also reported.
        #expect(try operations(since: early) == ["delete", "insert", "delete", "undo"])
    }

    @Test("A transaction that changed a quake before it deleted it is undone to the values before")
    func updatedBeforeDeletion() throws {
        let early = try context.history.head()
        let quake = try #require(try context.quake(forID: "us70010"))
        let revised = quake.quake.with { $0.magnitude = 6 }
        let transaction = try context.write { writer in
            try writer.update(quake, to: revised, reason: .edited)
            try writer.delete(StoredQuake(key: quake.key, quake: revised), reason: .retracted)
        }.transaction
        _ = try context.history.undo(transaction: try #require(transaction).number)
        #expect(try context.quake(forID: "us70010")?.quake.magnitude == 5)
        #expect(try operations(since: early) == ["update", "delete", "undo"])
    }

    @Test("A quake that a feed brought back meanwhile, and retracted again, is told as it happened")
    func other() throws {
        let early = try context.history.head()
        let quake = try #require(try context.quake(forID: "us70010"))
        let purge = try #require(try context.maintenance.purge(QuakeFilter(minimumMagnitude: 4)).transaction)
        try context.write { try $0.insert(quake.quake, reason: .restored, key: quake.key) }
        try context.write { try $0.delete(quake, reason: .retracted) }
        #expect(try operations(since: early) == ["delete", "insert", "delete"])
        _ = try? context.history.undo(transaction: purge.number)
        let undone = try context.quake(forID: "us70010") == nil ? [] : ["undo"]
        #expect(try operations(since: early) == ["delete", "insert", "delete"] + undone)
    }
}
