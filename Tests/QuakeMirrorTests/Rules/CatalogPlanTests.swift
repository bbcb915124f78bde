@testable import QuakeMirror
import Testing

@Suite("Planning requests to the event service") struct CatalogPlanTests {
    private func day(_ number: Int64) -> Timestamp { Timestamp(milliseconds: number * 86_400_000) }

    private func held(_ first: Int64, _ last: Int64, _ filter: QuakeFilter = QuakeFilter(), asOf: Int64 = 1000)
        -> CoveredRange
    {
        CoveredRange(conditions: filter, originTimes: day(first)..<day(last), asOf: day(asOf))
    }

    /// The parts that open-ended backfills requested, and the origin times fetched so far.
    private func open(_ coveredRanges: CoveredRange...) -> Coverage {
        coveredRanges.reduce(into: Coverage()) { coverage, range in
            coverage.request(range.conditions, in: range.originTimes.lowerBound..<Coverage.forever)
            coverage.add(range)
        }
    }

    private func missing(
        _ first: Int64, _ last: Int64, of filter: QuakeFilter = QuakeFilter(), _ coveredRanges: CoveredRange...
    ) -> [RequestedRange] {
        var filter = filter
        (filter.since, filter.until) = (day(first), day(last))
        return plan(.quakes(filter, again: false), Coverage(coveredRanges))
    }

    /// Returns what to request on day 1001, if the cache has 300 quakes a day.
    private func plan(_ request: BackfillRequest, _ coverage: Coverage) -> [RequestedRange] {
        do {
            return try request.ranges(coverage, now: day(1001)) { filter in
                guard let since = filter.since, let until = filter.until else { return 0 }
                return Int((until.milliseconds - since.milliseconds) / 288_000)
            }
        } catch {
            Issue.record(error)
            return []
        }
    }

    private let large = QuakeFilter(minimumMagnitude: 5)
    private let middle = QuakeFilter(minimumMagnitude: 4)

    @Test("A backfill requests only the origin times that are not yet covered") func missingTimes() {
        #expect(missing(0, 30).map(\.query.originTimes) == [day(0)..<day(30)])
        #expect(missing(0, 30, held(10, 20)).map(\.query.originTimes) == [day(0)..<day(10), day(20)..<day(30)])
        #expect(missing(0, 30, held(0, 10), held(10, 40)).isEmpty)
        #expect(missing(0, 30, of: large, held(0, 30)).isEmpty)
    }

    @Test("A backfill of all quakes also requests times that are covered only within a bounding box")
    func adjacentTimes() throws {
        let box = QuakeFilter(boundingBoxes: [try BoundingBox(west: 0, south: 0, east: 1, north: 1)])
        #expect(missing(0, 30, held(10, 20, box)).map(\.query.originTimes) == [day(0)..<day(30)])
    }

    @Test("A backfill of M 4+ also requests times that are covered only for M 5+") func coveredMagnitudes() {
        let ranges = missing(0, 30, of: middle, held(0, 10, large, asOf: 900))
        #expect(ranges.map(\.query) == [CatalogQuery(filter: middle, originTimes: day(0)..<day(30))])
        #expect(ranges.map(\.purpose) == [.coverage(isOpenEnded: false)])
    }

    @Test("A backfill without a minimum magnitude also requests times covered only for M 5+") func unknownMagnitudes() {
        #expect(missing(0, 30, held(0, 30, large)).map(\.query.filter) == [QuakeFilter()])
    }

    // Proves rule 19 of mirroring.md.
    @Test("An update requests all changed quakes in the covered times and a day on either side")
    func changes() throws {
        let parts = [held(0, 10, large), held(0, 20), held(21, 25), held(30, 40, asOf: 900)]
        let ranges = plan(.update, Coverage(parts))
        #expect(ranges.map(\.query.originTimes) == [day(29)..<day(41), day(-1)..<day(26)])
        #expect(ranges.allSatisfy { $0.purpose == .update && $0.query.filter == QuakeFilter() })
        #expect(ranges.map(\.query.updatedAfter) == [day(899), day(999)])
        #expect(plan(.update, Coverage()).isEmpty)
    }

    @Test("An update begins with the time ranges that were updated longest ago") func longestAgoFirst() {
        let parts = [held(0, 10), held(10, 20, asOf: 999), held(20, 25, asOf: 999)]
        let requests = plan(.update, Coverage(parts))
        #expect(requests.map(\.query.originTimes) == [day(9)..<day(26), day(-1)..<day(11)])
        #expect(requests.map(\.query.updatedAfter) == [day(998), day(999)])
    }

    @Test("An update requests two uncovered days at once if the covered days between have few quakes") func joinedDays()
    {
        var coverage = Coverage()
        coverage.request(QuakeFilter(), in: day(0)..<day(100))
        for (first, last) in [(0, 10), (11, 17), (18, 30), (31, 60)] as [(Int64, Int64)] {
            coverage.add(held(first, last))
        }
        // Between the first two missing days lie 1,800 quakes, before the third one 3,600.
        let requests = plan(.update, coverage).filter { $0.purpose != .update }
        #expect(requests.map(\.originTimes) == [day(10)..<day(18), day(30)..<day(31), day(60)..<day(100)])
        var apart = Coverage()
        apart.request(QuakeFilter(), in: day(0)..<day(1))
        apart.request(QuakeFilter(), in: day(2)..<day(3))
        #expect(plan(.update, apart).map(\.originTimes) == [day(0)..<day(1), day(2)..<day(3)])
    }

    // Proves rule 20 of mirroring.md.
    @Test("An update requests each missing origin time only once, even if requested ranges overlap")
    func missingTimesOfUpdate() {
        let ranges = plan(.update, open(held(0, 10, large), held(0, 10, middle)))
        #expect(ranges.map(\.purpose) == [.update, .coverage(isOpenEnded: true)])
        #expect(ranges.last?.query.originTimes == day(10)..<day(1001) && ranges.last?.query.filter == middle)
        // The part with smaller quakes covers the time between the two parts.
        let apart = plan(.update, open(held(0, 800, large), held(500, 900, middle)))
        #expect(apart.filter { $0.purpose != .update }.map(\.query.originTimes) == [day(900)..<day(1001)])
        // A part that was never fetched is missing.
        var coverage = Coverage()
        coverage.request(large, in: day(0)..<day(10))
        #expect(plan(.update, coverage).map(\.originTimes) == [day(0)..<day(10)])
    }

    @Test("If the last update stopped before the newest quakes, the next update requests those first")
    func updateOrder() {
        func kinds(_ last: Int64) -> [Bool] {
            plan(.update, open(held(0, last))).map { $0.purpose == .update }
        }
        #expect(kinds(1000) == [true, false])
        #expect(kinds(999) == [false, true])
        #expect(kinds(500) == [true, false])
    }

    @Test("\"quakes backfill --again\" fetches all requested ranges again, open-ended ones up to now") func again() {
        var coverage = open(held(5, 20))
        coverage.request(large, in: day(-5)..<day(10))
        let ranges = plan(.again, coverage)
        #expect(ranges.map(\.query.originTimes) == [day(5)..<day(1001), day(-5)..<day(5)])
        #expect(ranges.map(\.query.filter) == [QuakeFilter(), large])
    }

    @Test("A backfill with uncertainties also requests the times that are covered without them") func uncertainties() {
        func read(_ first: Int64, _ last: Int64) -> CoveredRange {
            var range = held(first, last)
            range.source = .uncertainties
            return range
        }
        var coverage = Coverage([held(0, 20), read(10, 20)])
        func days(_ request: BackfillRequest) -> [Range<Timestamp>] { plan(request, coverage).map(\.originTimes) }
        let filter = QuakeFilter(since: day(0), until: day(30))
        #expect(days(.quakes(filter, again: false)) == [day(20)..<day(30)])
        #expect(days(.quakes(filter, again: false, uncertainties: true)) == [day(0)..<day(10), day(20)..<day(30)])
        coverage.request(QuakeFilter(), in: day(0)..<day(20))
        var update = BackfillRequest.update
        #expect(plan(update, coverage).map(\.requestsPerWindow) == [1])
        update.uncertainties = true
        #expect(plan(update, coverage).map(\.requestsPerWindow) == [2, 2])
        #expect(days(update).last == day(0)..<day(10))
        coverage.request(QuakeFilter(), in: day(10)..<day(20), source: .uncertainties)
        let changes = plan(.update, coverage)
        #expect(changes.map(\.purpose) == [.update] && changes.allSatisfy(\.hasUncertainties))
        #expect(!changes[0].window(day(0)..<day(10)).hasUncertainties)
        #expect(changes[0].window(day(9)..<day(11)).hasUncertainties)
    }

    @Test("A request window adapts to the number of quakes and is halved if the service rejects it")
    func windowLength() {
        let whole = day(0)..<day(100)
        var length = WindowLength(whole, CatalogCount(count: 160_000, maxAllowed: 20_000))
        #expect(length.window(startOf: whole) == day(0)..<day(10))
        length.learn(day(0)..<day(10), quakes: 0)
        #expect(length.window(startOf: whole) == day(0)..<day(40))
        let shrank = length.halve(day(0)..<day(40))
        #expect(shrank && length.window(startOf: whole) == day(0)..<day(20))
        length.learn(day(0)..<day(20), quakes: 4_000)
        // By density it would be 80 days, but the 20 that follow were too many with the first 20.
        #expect(length.window(startOf: day(20)..<day(100)) == day(20)..<day(40))
        length.learn(day(20)..<day(40), quakes: 32_000)
        #expect(length.window(startOf: day(40)..<day(100)) == day(40)..<day(50))
        #expect(length.window(startOf: day(90)..<day(100)) == day(90)..<day(100))
        // A half of any of these would end at the same whole second.
        for (first, last) in [(0, 900), (0, 1000), (500, 2000)] as [(Int64, Int64)] {
            let canShrink = length.halve(day(0) + .milliseconds(first)..<day(0) + .milliseconds(last))
            #expect(!canShrink)
        }
        #expect(WindowLength(whole, CatalogCount(count: 10)).window(startOf: whole) == whole)
        length.learn(day(0)..<day(0) + .milliseconds(2100), quakes: 16_000)
        #expect(length.window(startOf: whole).upperBound == day(0) + .seconds(3))
        #expect(WindowLength.requests(CatalogCount(count: 0)) == 1)
        #expect(WindowLength.requests(CatalogCount(count: 1601, maxAllowed: 2000)) == 2)
    }
}
