import QuakeTestSupport
import Testing

import QuakeEditing
@testable import QuakeStore

@Suite("Coverage rules", .computing, .scratch) final class CoverageRuleTests: SuiteWithCache {
    private func day(_ number: Int64) -> Timestamp { Timestamp(milliseconds: number * 86_400_000) }

    private func recordCoverage(
        _ first: Int64, _ last: Int64, from magnitude: Double? = nil, asOf: Int64 = 1000, isOpenEnded: Bool = false,
        source: CoveredRange.Source = .backfill
    ) -> CoveredRange {
        CoveredRange(
            source: source, conditions: QuakeFilter(minimumMagnitude: magnitude),
            originTimes: day(first)..<day(last), asOf: day(asOf), isOpenEnded: isOpenEnded)
    }

    private func coveredRanges(_ coveredRanges: CoveredRange...) -> [CoveredRange] {
        var coverage = Coverage()
        coveredRanges.forEach { coverage.add($0) }
        return coverage.coveredRanges
    }

    /// Returns the times missing from the requested parts, by minimum magnitude.
    private func missing(_ coverage: Coverage) -> [String] {
        coverage.missing(until: day(100)).map { part in
            let days = [part.originTimes.lowerBound, part.originTimes.upperBound].map { $0.milliseconds / 86_400_000 }
            return "\(part.conditions.minimumMagnitude ?? 0): \(days[0]) to \(days[1])"
        }
    }

    // Proves rule 20 of mirroring.md.
    @Test("A backfill's requested range counts as missing until fetched or removed by --forget") func missing() {
        func coverage(_ change: (inout Coverage) -> Void) -> Coverage {
            var coverage = Coverage()
            coverage.request(QuakeFilter(minimumMagnitude: 5), in: day(0)..<day(30))
            coverage.request(QuakeFilter(), in: day(40)..<Coverage.forever)
            change(&coverage)
            return coverage
        }
        #expect(missing(coverage { _ in }) == ["5.0: 0 to 30", "0.0: 40 to 100"])
        #expect(missing(coverage { $0.add(recordCoverage(0, 10, from: 5)) }) == ["5.0: 10 to 30", "0.0: 40 to 100"])
        #expect(missing(coverage { $0.add(recordCoverage(0, 10, from: 4)) }) == ["5.0: 10 to 30", "0.0: 40 to 100"])
        #expect(missing(coverage { $0.add(recordCoverage(0, 10, from: 6)) }) == missing(coverage { _ in }))
        #expect(missing(coverage { $0.add(recordCoverage(0, 60, source: .feed)) }) == missing(coverage { _ in }))
        #expect(missing(coverage { $0.forget(QuakeFilter(), in: day(0)..<Coverage.forever) }) == [])
        #expect(missing(coverage { $0.forget(QuakeFilter(minimumMagnitude: 5), in: day(0)..<day(60)) }).count == 1)
        #expect(missing(coverage { $0.request(QuakeFilter(), in: day(-5)..<day(60)) }).contains("0.0: -5 to 100"))
        let narrower = coverage { $0.request(QuakeFilter(minimumMagnitude: 6), in: day(0)..<day(9)) }
        #expect(missing(narrower).contains("6.0: 0 to 9"))
    }

    @Test("Adjacent covered ranges are merged only if their filters and as_of times are equal") func adjacentWindows() {
        #expect(
            coveredRanges(recordCoverage(0, 10), recordCoverage(20, 30), recordCoverage(10, 20)) == [
                recordCoverage(0, 30)
            ])
        #expect(
            coveredRanges(recordCoverage(0, 10, asOf: 10), recordCoverage(10, 11, asOf: 11)).map(\.asOf) == [
                day(10), day(11),
            ])
        #expect(coveredRanges(recordCoverage(0, 10, from: 4), recordCoverage(10, 20, from: 5)).count == 2)
    }

    @Test("A new covered range replaces narrower filters' coverage of the same origin times") func replacement() {
        var coverage = Coverage([recordCoverage(0, 30, from: 5, asOf: 900)])
        coverage.request(QuakeFilter(minimumMagnitude: 5), in: day(0)..<Coverage.forever)
        coverage.add(recordCoverage(10, 20, from: 4))
        #expect(
            coverage.coveredRanges == [
                recordCoverage(0, 10, from: 5, asOf: 900), recordCoverage(10, 20, from: 4),
                recordCoverage(20, 30, from: 5, asOf: 900, isOpenEnded: true),
            ])
        #expect(coveredRanges(recordCoverage(0, 30, from: 4), recordCoverage(0, 30, from: 5)).count == 2)
    }

    @Test("Coverage as of an older moment does not replace that as of a newer one") func olderCoverage() {
        let newer = recordCoverage(0, 20, asOf: 900)
        #expect(
            coveredRanges(newer, recordCoverage(10, 30, asOf: 800)) == [newer, recordCoverage(20, 30, asOf: 800)])
    }

    @Test("Merged coverage of feeds is as of the older moment") func mergedMoments() {
        func feed(_ days: Range<Int64>, asOfHour hour: Int64) -> CoveredRange {
            CoveredRange(
                source: .feed, originTimes: day(days.lowerBound)..<day(days.upperBound),
                asOf: day(1000) + .seconds(3600 * hour))
        }
        let (earlier, later) = (feed(0..<10, asOfHour: 1), feed(10..<20, asOfHour: 5))
        for ranges in [[earlier, later], [later, earlier]] {
            var coverage = Coverage()
            ranges.forEach { coverage.add($0) }
            #expect(coverage.coveredRanges == [feed(0..<20, asOfHour: 1)])
        }
    }

    @Test("With a filter, --forget keeps coverage by wider filters and of other origin times")
    func forgetting() throws {
        try context.write { writer in
            try writer.changeCoverage { $0.request(QuakeFilter(minimumMagnitude: 5), in: day(0)..<Coverage.forever) }
            for held in [recordCoverage(0, 30, from: 5), recordCoverage(40, 50, from: 3)] { try writer.add(held) }
        }
        let filter = QuakeFilter(minimumMagnitude: 4, since: day(20))
        #expect(try context.sources.forgetCoverage(filter).map(\.originTimes) == [day(20)..<day(30)])
        #expect(
            try context.sources.coveredRanges() == [recordCoverage(0, 20, from: 5), recordCoverage(40, 50, from: 3)])
        #expect(try missing(context.sources.coverage()) == [])
        #expect(try context.sources.forgetCoverage().count == 2)
        #expect(try context.sources.coveredRanges().isEmpty && context.sources.forgetCoverage().isEmpty)
    }

    @Test("An update with the changes since T advances as_of only in ranges whose as_of is at least T") func advance() {
        var coverage = Coverage([recordCoverage(0, 20, asOf: 900), recordCoverage(0, 20, from: 5, asOf: 800)])
        coverage.advance(day(5)..<day(20), from: day(850), to: day(1000))
        #expect(
            Set(coverage.coveredRanges) == [
                recordCoverage(0, 5, asOf: 900), recordCoverage(5, 20), recordCoverage(0, 20, from: 5, asOf: 800),
            ])
        coverage.advance(day(0)..<day(20), from: day(800), to: day(1000))
        #expect(Set(coverage.coveredRanges) == [recordCoverage(0, 20), recordCoverage(0, 20, from: 5)])
        coverage.advance(day(0)..<day(20), from: day(800), to: day(950))
        #expect(coverage.coveredRanges.allSatisfy { $0.asOf == day(1000) })
    }

    @Test("A bounding box includes any box inside it, even across the 180th meridian") func areas() throws {
        func box(_ west: Double, _ east: Double) throws -> QuakeFilter {
            QuakeFilter(boundingBoxes: [try BoundingBox(west: west, south: -10, east: east, north: 10)])
        }
        let pacific = try box(150, -150)
        for (west, east) in [(160.0, 170.0), (-170, -160), (170, -170), (150, -150)] {
            #expect(try pacific.includes(box(west, east)))
        }
        let (around, asia) = (try box(-140, 140), try box(150, 180))
        #expect(!pacific.includes(around) && !asia.includes(pacific))
        let strip = try box(0, 10)
        #expect(!strip.includes(QuakeFilter()) && QuakeFilter().includes(strip))
    }

    @Test("A circle includes any circle inside it, but not one that reaches beyond it") func circles() {
        func circle(_ latitude: Double, _ radius: Double) -> QuakeFilter {
            let center = GeographicPoint(latitude: latitude, longitude: 2)
            return QuakeFilter(circles: [.init(center: center, radiusKilometers: radius)])
        }
        // A degree of latitude is 111.2 km.
        let large = circle(1, 200)
        for inner in [large, circle(1, 50), circle(1.5, 140), circle(2, 88)] { #expect(large.includes(inner)) }
        for other in [circle(1, 201), circle(1.5, 150), circle(4, 1), QuakeFilter()] { #expect(!large.includes(other)) }
        #expect(QuakeFilter().includes(large))
    }

    @Test("Covered ranges and ids in question are stored exactly, or not at all after an error") func storage() throws {
        let filter = QuakeFilter(
            minimumMagnitude: 2, maximumMagnitude: 8, minimumDepthKilometers: 0, maximumDepthKilometers: 70,
            boundingBoxes: [try BoundingBox(west: 170, south: -10, east: -170, north: 10)],
            circles: [.init(center: GeographicPoint(latitude: 1, longitude: 2), radiusKilometers: 300)],
            eventTypes: ["earthquake", "quarry blast"])
        let idInQuestion = IDInQuestion(
            id: "us7001", originTimes: day(0)..<day(1), reason: "no magnitude", raised: .sample)
        func write(_ writer: QuakeWriter) throws {
            try writer.changeCoverage { $0.request(filter, in: day(0)..<Coverage.forever) }
            try writer.add(CoveredRange(conditions: filter, originTimes: day(0)..<day(1), asOf: day(2)))
            try writer.putInQuestion([idInQuestion])
        }
        #expect(throws: StoreError.self) {
            try context.write { writer in
                try write(writer)
                throw StoreError.contextState("a failure after it")
            }
        }
        #expect(try context.sources.coverage() == Coverage())
        try context.write { try write($0) }
        let reader = try QuakeContext(scratch.store, access: .reading)
        #expect(try reader.sources.coveredRanges().map(\.conditions) == [filter])
        #expect(
            try reader.sources.coveredRanges().map(\.isOpenEnded) == [true]
                && reader.sources.idsInQuestion() == [idInQuestion])
        try context.write { writer in
            try writer.changeCoverage { $0.advance(day(0)..<day(1), from: day(2), to: day(3)) }
        }
        #expect(try context.sources.coveredRanges().map(\.asOf) == [day(3)])
        // Nothing is in question if nothing is covered or requested.
        try context.sources.forgetCoverage()
        #expect(try context.sources.idsInQuestion().isEmpty)
    }

    @Test("Coverage by feeds and by backfills is stored separately, even for the same origin times") func sources() {
        #expect(coveredRanges(recordCoverage(0, 30), recordCoverage(10, 20, source: .feed)).count == 2)
        var coverage = Coverage()
        for minute in 0..<600 as Range<Int64> {
            let (start, moment) = (day(0) + .seconds(minute * 60), day(1) + .seconds(minute * 60))
            coverage.add(CoveredRange(source: .feed, originTimes: start..<moment, asOf: moment))
        }
        #expect(coverage.coveredRanges.count == 1 && coverage.gaps(at: day(2)) == [])
    }

    @Test("Archived feeds, read in any order, each cover their own period as of their own date") func archives() {
        let archives = [100, 900, 2_000, 4_000].map { recordCoverage($0, $0 + 30, asOf: $0 + 30, source: .feed) }
        for order in [archives, archives.reversed()] {
            var coverage = Coverage()
            order.forEach { coverage.add($0) }
            #expect(coverage.coveredRanges == archives)
        }
    }

    @Test("Five years of hourly refreshes leave fewer than 300 rows of coverage") func fiveYears() throws {
        func recordCoverage(_ hour: Int64) -> CoveredRange {
            let moment = day(0) + .seconds(hour * 3_600)
            let days: Int64 = hour.isMultiple(of: 168) ? 30 : 1
            return CoveredRange(source: .feed, originTimes: moment - .seconds(days * 86_400)..<moment, asOf: moment)
        }
        let hours: Int64 = 5 * 365 * 24
        var coverage = Coverage()
        // The hourly feeds of a week leave nothing once the next weekly feed is read, so most weeks do without them.
        for hour in 0..<hours where hour.isMultiple(of: 168) || hour < 168 || hour > hours - 336 {
            coverage.add(recordCoverage(hour))
        }
        #expect(coverage.coveredRanges.count > 250 && coverage.coveredRanges.count < 300)
        #expect(coverage.gaps(at: day(5 * 365)) == [])
        try context.write { try $0.changeCoverage { $0 = coverage } }
        func rows() throws -> Set<[Int64]> {
            let sql = "SELECT rowid, since, until, as_of FROM covered_ranges"
            return Set(
                try context.session.connection.all(sql) { row in (0..<4 as Range<Int32>).map { row.integer($0) } })
        }
        let before = try rows()
        try context.write { try $0.add(recordCoverage(hours)) }
        #expect(try context.sources.coverage().coveredRanges.last?.originTimes.upperBound == recordCoverage(hours).asOf)
        let written = try rows().symmetricDifference(before)
        #expect(!written.isEmpty && written.count < 5)
        #expect(try context.maintenance.verify(full: true).isSound)
    }

    @Test("A filter includes every filter with narrower conditions, but none with wider ones") func inclusion() {
        let pairs = [
            (QuakeFilter(eventTypes: ["a", "b"]), QuakeFilter(eventTypes: ["a"])),
            (QuakeFilter(eventTypes: ["!a"]), QuakeFilter(eventTypes: ["!a", "!b"])),
            (QuakeFilter(minimumMagnitude: 2), QuakeFilter(minimumMagnitude: 3)),
            (QuakeFilter(maximumMagnitude: 3), QuakeFilter(maximumMagnitude: 2)),
            (QuakeFilter(), QuakeFilter(eventTypes: ["a"])),
        ]
        for (wide, narrow) in pairs {
            #expect(wide.includes(narrow) && !narrow.includes(wide) && narrow.includes(narrow), "\(narrow)")
        }
    }

    @Test("Coverage by an M 2.5+ feed does not close a gap in the coverage of all quakes")
    func magnitudeBands() {
        let (all, band) = (
            recordCoverage(0, 10, asOf: 10, source: .feed), recordCoverage(5, 20, from: 2.45, asOf: 20, source: .feed)
        )
        let rest = recordCoverage(10, 20, from: 2.45, asOf: 20, source: .feed)
        #expect(coveredRanges(all, band) == [all, rest] && coveredRanges(band, all) == [all, rest])
        #expect(coveredRanges(all, recordCoverage(2, 8, from: 2.45, source: .feed)) == [all])
        var coverage = Coverage([all, rest])
        coverage.add(recordCoverage(20, 30, asOf: 30, source: .feed))
        #expect(coverage.gaps(at: day(30)) == [day(10)..<day(20)])
        #expect(coverage.gaps(in: QuakeFilter(minimumMagnitude: 2.5, since: day(0), until: day(30))).isEmpty)
        #expect(coverage.gaps(in: QuakeFilter(since: day(0), until: day(30))) == [day(10)..<day(20)])
    }
}

// Proves rule 23 of mirroring.md.
@Suite("Coverage lost by deletions", .scratch) final class LostCoverageTests: SuiteWithCache {
    private static let start = Timestamp.sample.day.lowerBound - .seconds(30 * 86_400)

    private static func day(_ number: Int) -> Timestamp { start + .seconds(number * 86_400) }

    /// Fills the cache with two quakes at noon, M 3 one day after the start and M 5 ten days after it, and open-ended
    /// coverage of 30 days by feeds and backfills.
    override init() throws {
        try super.init()
        for (number, magnitude) in [(1, 3.0), (10, 5.0)] {
            let time = Self.day(number) + .seconds(43_200)
            try context.record(Quake(sample: "us700\(number)", time: time, magnitude: magnitude))
        }
        try context.write { writer in
            try writer.changeCoverage { $0.request(QuakeFilter(), in: Self.start..<Coverage.forever) }
            for source in [CoveredRange.Source.backfill, .feed] {
                try writer.add(CoveredRange(source: source, originTimes: Self.start..<Self.day(30), asOf: Self.day(30)))
            }
        }
    }

    private func times(_ source: CoveredRange.Source) throws -> [Range<Timestamp>] {
        try context.sources.coveredRanges().filter { $0.source == source }.map(\.originTimes)
    }

    private func small() throws -> StoredQuake {
        try #require(try context.fetch().first { $0.quake.magnitude == 3 })
    }

    enum Act: CaseIterable {
        case deletion, undo, magnitude, location
    }

    // Proves promise 14 of reliability.md.
    @Test(
        "An edit, deletion or undo removes a quake's day from the covered and requested ranges",
        arguments: Act.allCases)
    func acts(act: Act) throws {
        let quake = try small()
        switch act {
        case .deletion:
            try editor.delete(quake)
            try editor.save()
        case .undo: try context.undo(transaction: 1)
        case .magnitude: try context.edit { try $0.update(quake, to: quake.quake.with { $0.magnitude = 1 }) }
        case .location:
            try context.edit { try $0.update(quake, to: quake.quake.with { $0.hypocenter.longitude += 1 }) }
        }
        let noon = Self.day(1) + .seconds(43_200)
        #expect(try times(.backfill) == [Self.start..<Self.day(1), Self.day(2)..<Self.day(30)])
        #expect(try times(.feed) == [Self.start..<noon, noon + .milliseconds(1)..<Self.day(30)])
        #expect(try context.sources.coverage().missing(until: Self.day(30)).isEmpty)
        #expect(try context.sources.coveredRanges().count(where: \.isOpenEnded) == 1)
    }

    // Proves promise 14 of reliability.md.
    @Test(
        "A purge removes coverage until its filter's end or, without one, the newest deleted quake",
        arguments: [
            (QuakeFilter(until: day(3)), [day(3)..<day(30)]),
            (QuakeFilter(since: day(9)), [start..<day(9), day(11)..<day(30)]),
            (QuakeFilter(since: day(8), until: day(12)), [start..<day(8), day(12)..<day(30)]),
            (QuakeFilter(maximumMagnitude: 4), [day(2)..<day(30)]), (QuakeFilter(), [day(11)..<day(30)]),
            (QuakeFilter(minimumMagnitude: 9), [start..<day(30)]),
        ])
    func purges(filter: QuakeFilter, left: [Range<Timestamp>]) throws {
        try context.maintenance.purge(filter, dryRun: true)
        #expect(try times(.backfill) == [Self.start..<Self.day(30)])
        try context.maintenance.purge(filter)
        #expect(try times(.backfill) == left)
        #expect(try context.sources.coverage().missing(until: Self.day(30)).isEmpty)
        #expect(try context.sources.coveredRanges().count(where: \.isOpenEnded) == 1)
    }

    @Test("Coverage of M 4+ survives a purge of smaller quakes and an edit of only a place name")
    func harmlessActs() throws {
        let large = QuakeFilter(minimumMagnitude: 4)
        try context.write { writer in
            try writer.add(CoveredRange(conditions: large, originTimes: Self.start..<Self.day(30), asOf: Self.day(31)))
        }
        try context.maintenance.purge(QuakeFilter(maximumMagnitude: 4))
        #expect(
            try context.sources.coveredRanges().first { $0.conditions == large }?.originTimes == Self
                .start..<Self.day(30))
        let before = try context.sources.coveredRanges()
        let quake = try #require(try context.fetch().first)
        try context.edit { try $0.update(quake, to: quake.quake.with { $0.place = "elsewhere" }) }
        try context.write { writer in
            let known = try #require(try writer.knownQuake(quake.key))
            try writer.delete(known.stored, reason: .retracted)
        }
        #expect(try context.sources.coveredRanges() == before)
    }

    @Test("If a feed retracts a quake, the quake's day has to be backfilled again") func documents() throws {
        let quake = try small()
        try context.write { writer in
            try writer.recordLostCoverage(of: quake.quake, because: .document)
            try writer.delete(quake, reason: .retracted)
        }
        #expect(try times(.feed).count == 2 && times(.backfill).count == 2)
        let missing = try context.sources.coverage().missing(until: Self.day(30))
        #expect(missing.map(\.originTimes) == [Self.day(1)..<Self.day(2)])
    }
}
