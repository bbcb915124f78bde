import QuakeTestSupport
import Testing

@testable import QuakeStore

@Suite("Coverage with uncertainties", .scratch) final class UncertaintyCoverageTests: SuiteWithCache {
    private static let sources = [CoveredRange.Source.backfill, .uncertainties]
    private static let large = QuakeFilter(minimumMagnitude: 5)

    private func day(_ number: Int64) -> Timestamp { Timestamp(milliseconds: number * 86_400_000) }

    private func read(
        _ source: CoveredRange.Source, _ first: Int64, _ last: Int64, _ conditions: QuakeFilter = QuakeFilter(),
        asOf: Int64 = 1000
    ) -> CoveredRange {
        CoveredRange(source: source, conditions: conditions, originTimes: day(first)..<day(last), asOf: day(asOf))
    }

    /// All quakes of 30 days, those of the last 20 with uncertainties.
    private var both: Coverage {
        var coverage = Coverage([read(.backfill, 0, 30), read(.uncertainties, 10, 30)])
        coverage.request(QuakeFilter(), in: day(0)..<day(30))
        coverage.request(QuakeFilter(), in: day(10)..<day(30), source: .uncertainties)
        return coverage
    }

    private func days(_ source: CoveredRange.Source, _ coverage: Coverage) -> [Range<Int64>] {
        coverage.times { $0.source == source }.ranges.map {
            $0.lowerBound.milliseconds / 86_400_000..<$0.upperBound.milliseconds / 86_400_000
        }
    }

    @Test("Times covered without the requested uncertainties are missing, once for each filter") func missing() {
        var coverage = both
        #expect(coverage.missing(until: day(100)) == [])
        coverage.request(QuakeFilter(), in: day(0)..<Coverage.forever, source: .uncertainties)
        coverage.request(QuakeFilter(), in: day(0)..<Coverage.forever)
        let missing = coverage.missing(until: day(100))
        #expect(missing.map(\.originTimes) == [day(0)..<day(10), day(30)..<day(100)])
        #expect(missing.allSatisfy { $0.source == .backfill })
        coverage.add(read(.uncertainties, 0, 10, Self.large))
        #expect(coverage.missing(until: day(30)).map(\.originTimes) == [day(0)..<day(10)])
        coverage.add(read(.uncertainties, 0, 10))
        #expect(coverage.missing(until: day(30)) == [])
    }

    @Test("A backfill with uncertainties adds to the coverage without them and replaces none of it") func adding() {
        var coverage = Coverage([read(.backfill, 0, 30)])
        coverage.add(read(.uncertainties, 10, 20))
        #expect(days(.backfill, coverage) == [0..<30] && days(.uncertainties, coverage) == [10..<20])
        coverage.add(read(.uncertainties, 20, 30))
        #expect(days(.uncertainties, coverage) == [10..<30] && coverage.coveredRanges.count == 2)
    }

    @Test("An update advances as_of of quakes and uncertainties together") func advancing() {
        var coverage = both
        coverage.advance(day(5)..<day(30), from: day(999), to: day(1001))
        #expect(
            Set(coverage.coveredRanges) == [
                read(.backfill, 0, 5), read(.backfill, 5, 30, asOf: 1001), read(.uncertainties, 10, 30, asOf: 1001),
            ])
    }

    @Test("A deletion by a feed removes its day from the coverage of quakes and of uncertainties") func losing() {
        var lostCoverage = LostCoverage(of: both)
        lostCoverage.add(Quake(sample: "us1", time: day(15) + .seconds(60)), to: .document)
        var coverage = both
        coverage.remove(lostCoverage)
        #expect(
            days(.backfill, coverage) == [0..<15, 16..<30] && days(.uncertainties, coverage) == [10..<15, 16..<30])
        #expect(coverage.requested == both.requested)
        coverage.uncover(RangeSet([day(20)..<day(21)]))
        #expect(days(.uncertainties, coverage) == [10..<15, 16..<20, 21..<30])
    }

    @Test("A purge removes its days from the requested and covered quakes and uncertainties") func purging() {
        var lostCoverage = LostCoverage(of: both)
        lostCoverage.add(Quake(sample: "us1", time: day(15) + .seconds(60)), to: .user)
        var coverage = both
        coverage.remove(lostCoverage)
        #expect(coverage.missing(until: day(100)) == [])
        #expect(days(.uncertainties, coverage) == [10..<15, 16..<30])
        #expect(coverage.requestedUncertainties == RangeSet([day(10)..<day(15), day(16)..<day(30)]))
    }

    @Test("--forget stops updating quakes and uncertainties, or with --uncertainties only these") func forgetting() {
        for onlyUncertainties in [false, true] {
            var coverage = both
            coverage.forget(
                QuakeFilter(), in: day(20)..<Coverage.forever, onlyUncertainties: onlyUncertainties)
            #expect(days(.backfill, coverage) == [onlyUncertainties ? 0..<30 : 0..<20])
            #expect(days(.uncertainties, coverage) == [10..<20])
            #expect(coverage.requestedUncertainties == RangeSet([day(10)..<day(20)]))
            #expect(coverage.missing(until: day(100)) == [])
        }
        // The uncertainties were requested with those of the large quakes alone.
        var coverage = Coverage([read(.backfill, 0, 30), read(.uncertainties, 0, 30)])
        coverage.request(QuakeFilter(), in: day(0)..<day(30))
        for source in Self.sources { coverage.request(Self.large, in: day(0)..<day(30), source: source) }
        coverage.forget(Self.large, in: day(0)..<day(30))
        #expect(days(.backfill, coverage) == [0..<30] && days(.uncertainties, coverage) == [])
    }

    @Test("The requested and covered uncertainties are stored, and return when a purge is undone") func storing() throws
    {
        let both = both
        try context.write { writer in
            try writer.insert(Quake(sample: "us1", time: day(15) + .seconds(60)), reason: .new)
            try writer.changeCoverage { $0 = both }
        }
        #expect(try context.sources.coverage() == both)
        try context.maintenance.purge(QuakeFilter(since: day(14), until: day(16)))
        #expect(try days(.uncertainties, context.sources.coverage()) == [10..<14, 16..<30])
        try context.undo(transaction: context.history.currentToken().number)
        #expect(try context.sources.coverage() == both)
        #expect(try context.maintenance.verify(full: true).isSound)
    }
}
