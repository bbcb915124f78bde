import QuakeTestSupport
import Testing

import QuakeEditing
@testable import QuakeStore

@Suite("A purge and its undo", .scratch) final class UndonePurgeTests: SuiteWithCache {
    private static let start = Timestamp.sample - .seconds(30 * 86_400)

    /// Fills the cache with two quakes, a unconfirmed change about one, and covered ranges from a feed and backfills of
    /// all or large quakes.
    override init() throws {
        try super.init()
        for (number, magnitude) in [(1, 0.5), (10, 5.0)] {
            let time = Self.start + .seconds(number * 86_400)
            try context.record(Quake(sample: "us700\(number)", time: time, magnitude: magnitude))
        }
        let key = try #require(try context.key(ofID: "us7001"))
        try context.write { writer in
            try writer.recordUnconfirmed(UnconfirmedChange(quakeKey: key, kind: .absent, sourceTime: .sample))
            let (all, past) = (Self.start..<Timestamp.sample, Self.start - .seconds(86_400)..<Timestamp.sample)
            try writer.add(CoveredRange(source: .feed, originTimes: all, asOf: .sample))
            try writer.changeCoverage { $0.request(QuakeFilter(), in: Self.start..<Coverage.forever) }
            try writer.add(CoveredRange(originTimes: all, asOf: .sample))
            try writer.add(CoveredRange(conditions: QuakeFilter(minimumMagnitude: 4), originTimes: past, asOf: .sample))
            try writer.putInQuestion([
                IDInQuestion(id: "us7002", originTimes: all, reason: "no magnitude", raised: .sample)
            ])
        }
    }

    private struct State: Equatable {
        let quakes: [StoredQuake]
        let coverage: Coverage
        let unconfirmedChanges: [UnconfirmedChange]
        let gaps: [Range<Timestamp>]
        let revisions: RevisionSummary

        init(_ context: QuakeContext) throws {
            quakes = try context.fetch()
            (coverage, unconfirmedChanges) = (try context.sources.coverage(), try context.sources.unconfirmedChanges())
            gaps = try context.sources.coverage().gaps(at: .sample + .seconds(86_400 * 60))
            revisions = try context.history.revisions()
        }
    }

    // Proves rule 23 of mirroring.md.
    @Test(
        "Undoing a purge restores quakes, coverage, unconfirmed changes and revision counts",
        arguments: [
            QuakeFilter(), QuakeFilter(maximumMagnitude: 1), QuakeFilter(networks: ["us"]),
            QuakeFilter(since: start + .seconds(5 * 86_400)), QuakeFilter(minimumMagnitude: 4, placesContain: ["a"]),
        ])
    func stateIsAsBefore(filter: QuakeFilter) throws {
        let before = try State(context)
        let purge = try #require(try context.maintenance.purge(filter).transaction)
        #expect(try State(context).coverage != before.coverage)
        let undo = try #require(try context.undo(transaction: purge.number).transaction)
        #expect(try State(context) == before)
        // And in the opposite direction.
        try context.undo(transaction: undo.number)
        let redone = try State(context)
        #expect(redone.quakes.count < before.quakes.count && redone.coverage != before.coverage)
        #expect(try context.maintenance.verify(full: true).findings == [])
    }

    @Test("An undone revision does not count in the revision summary unless it is redone") func revisions() throws {
        let quake = try #require(try context.quake(id: "us70010"))
        let revision = try context.write {
            try $0.update(quake, to: quake.quake.with { $0.magnitude = 9 }, reason: .revised)
        }
        var number = try #require(revision.transaction).number
        for count in [1, 0, 1, 0] {
            let revisions = try context.history.revisions()
            #expect(revisions.magnitudeChangeCount == count && revisions.reasons == (count == 1 ? [.revised: 1] : [:]))
            number = try #require(try context.undo(transaction: number).transaction).number
        }
    }

    @Test("Undoing two overlapping purges restores all quakes, but some days must be fetched again")
    func twoPurgesAndUndos() throws {
        let before = try State(context)
        let first = try #require(try context.maintenance.purge(QuakeFilter(maximumMagnitude: 1)).transaction)
        // The first purge has left nothing covered that this one could remove.
        let second = try #require(try context.maintenance.purge(QuakeFilter()).transaction)
        for purge in [second, first] { try context.undo(transaction: purge.number) }
        let after = try State(context)
        #expect(after.quakes == before.quakes && after.unconfirmedChanges == before.unconfirmedChanges)
        #expect(after.coverage.requested == before.coverage.requested)
        let times = try #require(before.quakes.map(\.quake.originTime).min())
        #expect(
            !after.coverage.coveredRanges.contains { $0.conditions == QuakeFilter() && $0.originTimes.contains(times) })
        let missing = after.coverage.missing(until: .sample)
        #expect(missing.contains { $0.conditions == QuakeFilter() && $0.originTimes.contains(times) })
    }

    @Test("Undoing a purge after a refresh keeps the refresh's coverage, but backfill gaps remain")
    func refreshInBetween() throws {
        let before = try context.sources.coverage()
        let purge = try #require(try context.maintenance.purge(QuakeFilter(networks: ["us"])).transaction)
        let later = Timestamp.sample + .seconds(5)
        try context.write { try $0.add(CoveredRange(source: .feed, originTimes: Self.start..<later, asOf: later)) }
        try context.undo(transaction: purge.number)
        let coverage = try context.sources.coverage()
        #expect(coverage.coveredRanges.filter { $0.source == .feed }.map(\.asOf).contains(later))
        #expect(coverage.requested == before.requested && !coverage.missing(until: .sample).isEmpty)
    }

    @Test("A day backfilled since a purge must be backfilled again if an undo restores a quake in it")
    func coveredInBetween() throws {
        let quake = try #require(try context.quake(id: "us7001")).quake
        let purge = try #require(try context.maintenance.purge(QuakeFilter(maximumMagnitude: 1)).transaction)
        // The service no longer lists the quake.
        try context.write { writer in
            try writer.changeCoverage { $0.request(QuakeFilter(), in: Self.start..<Coverage.forever) }
            try writer.add(CoveredRange(originTimes: Self.start..<Timestamp.sample, asOf: .sample + .seconds(5)))
        }
        try context.undo(transaction: purge.number)
        let missing = try context.sources.coverage().missing(until: .sample)
        #expect(missing.map(\.originTimes) == [quake.originTime.day])
    }

    @Test("Undoing a purge restores an id in question or leaves its day to be fetched again")
    func droppedIDInQuestion() throws {
        let day = Self.start + .seconds(86_400)..<Self.start + .seconds(2 * 86_400)
        try context.write {
            try $0.putInQuestion([IDInQuestion(id: "us7003", originTimes: day, reason: "no magnitude", raised: .sample)]
            )
        }
        let purge = try #require(try context.maintenance.purge(QuakeFilter(until: day.upperBound)).transaction)
        try context.undo(transaction: purge.number)
        let coverage = try context.sources.coverage()
        let isOpen = coverage.idsInQuestion.contains { $0.id == "us7003" }
        #expect(isOpen || coverage.missing(until: .sample).contains { $0.originTimes.overlaps(day) })
    }

    @Test("Undoing an edit right away restores the coverage of the quake's day") func undoneEdit() throws {
        let before = try State(context)
        let quake = try #require(try context.quake(id: "us7001"))
        try context.edit { try $0.update(quake, to: quake.quake.with { $0.magnitude = 2 }) }
        #expect(try context.sources.coverage() != before.coverage)
        try editor.undo()
        #expect(try State(context).coverage == before.coverage)
    }

    // Proves rule 10 of mirroring.md.
    @Test("A quake restored by an undo counts as confirmed by the newest snapshot that listed it") func confirmation()
        throws
    {
        let key = try #require(try context.key(ofID: "us7001"))
        let moments = [5, 20, 10].map { Timestamp.sample + .seconds($0) }
        try context.write { writer in
            try writer.confirm(key, RowSource(sourceTime: Timestamp.sample.milliseconds))
            for (name, generated) in zip(["all_day", "all_week", "all_month"], moments) {
                var record = FeedRecord(name: name)
                record.sourceTime = generated
                try writer.save(record, listedKeys: ListedKeys([key]))
            }
        }
        func confirmed() throws -> Int64? {
            try context.write { try $0.knownQuake(key)?.rowSource.sourceTime }.result
        }
        var number = try #require(try context.maintenance.purge(QuakeFilter(maximumMagnitude: 1)).transaction).number
        for isBack in [true, false, true] {
            number = try #require(try context.undo(transaction: number).transaction).number
            #expect(try confirmed() == (isBack ? moments[1].milliseconds : nil))
        }
        // A purged quake that a feed lists begins anew.
        try context.maintenance.purge(QuakeFilter(maximumMagnitude: 1))
        let target = try context.write { try $0.target(ofID: "us7001") }.result
        #expect(target == .departed(key: key, sourceTime: 0))
    }

    private func operations(since token: HistoryToken, coalesced: Bool = false) throws -> [String] {
        var descriptor = HistoryDescriptor(start: .token(token))
        descriptor.isCoalesced = coalesced
        return try context.relevantChanges(descriptor).map(\.operation.rawValue)
    }

    @Test(
        "A reader gets a purge and its undo as changes, but nothing if it requests net changes",
        arguments: [false, true])
    func deliveredChanges(coalesced: Bool) throws {
        let early = try context.history.currentToken()
        let purge = try #require(try context.maintenance.purge(QuakeFilter()).transaction)
        #expect(try operations(since: early, coalesced: coalesced) == ["delete", "delete"])
        let undo = try #require(try context.undo(transaction: purge.number).transaction)
        let both = ["delete", "delete", "undo", "undo"]
        #expect(try operations(since: early, coalesced: coalesced) == (coalesced ? [] : both))
        #expect(try operations(since: purge.token, coalesced: coalesced) == ["undo", "undo"])
        try context.undo(transaction: undo.number)
        let last = (coalesced ? [] : both) + ["delete", "delete"]
        #expect(try operations(since: early, coalesced: coalesced) == last)
        #expect(try operations(since: undo.token, coalesced: coalesced) == ["delete", "delete"])
    }

    @Test("Undoing the first of two purges of a quake restores the values it had before that purge") func olderPurge()
        throws
    {
        let early = try context.history.currentToken()
        let quake = try #require(try context.quake(id: "us70010"))
        let purge = try #require(try context.maintenance.purge(QuakeFilter(minimumMagnitude: 4)).transaction)
        let revised = quake.quake.with { $0.magnitude = 6 }
        try context.write { try $0.insert(revised, reason: .restored, key: quake.key) }
        let later = try context.history.currentToken()
        try context.maintenance.purge(QuakeFilter(minimumMagnitude: 4))
        _ = try context.undo(transaction: purge.number)
        #expect(try context.quake(id: "us70010")?.quake.magnitude == 5)
        #expect(try operations(since: later) == ["delete", "undo"])
        // The first purge and the return of the quake with another magnitude are also reported.
        #expect(try operations(since: early) == ["delete", "insert", "delete", "undo"])
    }

    @Test("Undoing a transaction that updated and deleted a quake restores the values before both")
    func updatedThenDeleted() throws {
        let early = try context.history.currentToken()
        let quake = try #require(try context.quake(id: "us70010"))
        let revised = quake.quake.with { $0.magnitude = 6 }
        let transaction = try context.write { writer in
            try writer.update(quake, to: revised, reason: .edited)
            try writer.delete(StoredQuake(key: quake.key, quake: revised), reason: .retracted)
        }.transaction
        _ = try context.undo(transaction: try #require(transaction).number)
        #expect(try context.quake(id: "us70010")?.quake.magnitude == 5)
        #expect(try operations(since: early) == ["update", "delete", "undo"])
    }

    @Test("A quake purged, restored and retracted is reported as three changes, in that order")
    func returnedAndRetracted() throws {
        let early = try context.history.currentToken()
        let quake = try #require(try context.quake(id: "us70010"))
        let purge = try #require(try context.maintenance.purge(QuakeFilter(minimumMagnitude: 4)).transaction)
        try context.write { try $0.insert(quake.quake, reason: .restored, key: quake.key) }
        try context.write { try $0.delete(quake, reason: .retracted) }
        #expect(try operations(since: early) == ["delete", "insert", "delete"])
        _ = try? context.undo(transaction: purge.number)
        let undone = try context.quake(id: "us70010") == nil ? [] : ["undo"]
        #expect(try operations(since: early) == ["delete", "insert", "delete"] + undone)
    }
}
