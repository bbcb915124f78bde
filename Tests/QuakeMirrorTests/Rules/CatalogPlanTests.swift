import QuakeFeed
import QuakeModel
import Testing

@testable import QuakeMirror

@Suite("What to ask the event service for")
struct CatalogPlanTests {
    private func day(_ number: Int64) -> Timestamp { Timestamp(milliseconds: number * 86_400_000) }

    private func held(
        _ first: Int64, _ last: Int64, _ filter: QuakeFilter = QuakeFilter(), asOf: Int64 = 1000,
        isOpenEnded: Bool = false
    ) -> Claim {
        Claim(conditions: filter, originTimes: day(first)..<day(last), asOf: day(asOf), isOpenEnded: isOpenEnded)
    }

    private func missing(
        _ first: Int64, _ last: Int64, of filter: QuakeFilter = QuakeFilter(), _ claims: Claim...
    ) -> [CatalogStretch] {
        CatalogPlan.missing(filter, in: day(first)..<day(last), isOpenEnded: false, held: claims)
    }

    private let large = QuakeFilter(minimumMagnitude: 5)
    private let middle = QuakeFilter(minimumMagnitude: 4)

    @Test("An empty cache lacks everything; what it holds is not asked for again")
    func times() {
        #expect(missing(0, 30).map(\.query.originTimes) == [day(0)..<day(30)])
        #expect(missing(0, 30, held(10, 20)).map(\.query.originTimes) == [day(0)..<day(10), day(20)..<day(30)])
        #expect(missing(0, 30, held(0, 10), held(10, 40)).isEmpty)
        #expect(missing(0, 30, of: large, held(0, 30)).isEmpty)
    }

    @Test("Pieces that lack the same are one stretch")
    func united() {
        let box = QuakeFilter(boundingBox: try? BoundingBox(west: 0, south: 0, east: 1, north: 1))
        #expect(missing(0, 30, held(10, 20, box)).map(\.query.originTimes) == [day(0)..<day(30)])
    }

    @Test(
        "Where larger quakes are held, all are asked for: a quake revised over the limit meanwhile is in neither half")
    func magnitudes() {
        let stretches = missing(0, 30, of: middle, held(0, 10, large, asOf: 900))
        #expect(stretches.map(\.query) == [CatalogQuery(filter: middle, originTimes: day(0)..<day(30))])
        #expect(stretches.map(\.purpose) == [.claim(isOpenEnded: false)])
    }

    @Test("Without a minimum all is asked for: no question finds the quakes without a magnitude")
    func unknownMagnitudes() {
        #expect(missing(0, 30, held(0, 30, large)).map(\.query.filter) == [QuakeFilter()])
    }

    @Test("An update asks for the changes of all parts at once, without their conditions, since a day before")
    func changes() throws {
        let parts = [held(0, 10, large, asOf: 1000), held(0, 20, asOf: 1000), held(30, 40, asOf: 900)]
        let stretches = CatalogPlan.updates(of: parts, now: day(1001))
        #expect(stretches.map(\.query.originTimes) == [day(0)..<day(20), day(30)..<day(40)])
        #expect(stretches.allSatisfy { $0.purpose == .update && $0.query.filter == QuakeFilter() })
        #expect(stretches.map(\.query.updatedAfter) == [day(999), day(899)])
    }

    @Test("After the changes parts without an end are extended, each by what the others do not bring")
    func extensions() {
        let parts = [held(0, 10, large, isOpenEnded: true), held(0, 10, middle, isOpenEnded: true), held(0, 5)]
        let stretches = CatalogPlan.updates(of: parts, now: day(1001))
        #expect(stretches.first?.purpose == .update)
        let extensions = stretches.filter { $0.purpose != .update }
        #expect(extensions.map(\.query.originTimes) == [day(10)..<day(1001)])
        #expect(extensions.map(\.purpose) == [.claim(isOpenEnded: true)])
        #expect(extensions.map(\.query.filter) == [middle])
        #expect(stretches.last == extensions.last)
        #expect(CatalogPlan.updates(of: [], now: day(0)).isEmpty)
    }

    @Test("Where a run ended after the changes, the next begins with the extensions; an interrupted part keeps waiting")
    func turns() {
        func kinds(_ last: Int64) -> [Bool] {
            CatalogPlan.updates(of: [held(0, last, asOf: 1000, isOpenEnded: true)], now: day(1001)).map {
                $0.purpose == .update
            }
        }
        #expect(kinds(1000) == [true, false])
        #expect(kinds(999) == [false, true])
        #expect(kinds(500) == [true, false])
    }

    @Test("What an earlier question is to bring of larger quakes is not relied on: it may bring less")
    func promises() {
        let box = QuakeFilter(
            minimumMagnitude: 5, boundingBox: try? BoundingBox(west: 0, south: 0, east: 1, north: 1))
        let parts = [held(0, 900, box, isOpenEnded: true), held(500, 900, middle, isOpenEnded: true)]
        let extensions = CatalogPlan.updates(of: parts, now: day(1001)).filter { $0.purpose != .update }
        #expect(extensions.map(\.query.filter) == [middle])
        let apart = [held(0, 800, large, isOpenEnded: true), held(500, 900, middle, isOpenEnded: true)]
        let stretches = CatalogPlan.updates(of: apart, now: day(1001)).filter { $0.purpose != .update }
        // The part of large quakes ends before; what lies between is held by the other one.
        #expect(
            stretches.map(\.query.filter) == [middle] && stretches.map(\.query.originTimes) == [day(900)..<day(1001)])
    }

    @Test("Changes are asked for over the hole that a purge of a few quakes left, in one question")
    func holes() {
        let stretches = CatalogPlan.updates(of: [held(0, 10), held(11, 20), held(30, 40)], now: day(1001))
        #expect(stretches.map(\.originTimes) == [day(0)..<day(20), day(30)..<day(40)])
    }

    @Test("Again asks for what is held, to the present where it has no end")
    func again() {
        let stretches = CatalogPlan.again([held(0, 10, large), held(5, 20, isOpenEnded: true)], now: day(1001))
        #expect(stretches.map(\.query.originTimes) == [day(0)..<day(10), day(5)..<day(1001)])
        #expect(stretches.map(\.query.filter) == [large, QuakeFilter()])
    }

    @Test("A window's length follows the density, grows at most four times, and is halved when it is refused")
    func windows() {
        let whole = day(0)..<day(100)
        var length = WindowLength(whole, CatalogCount(count: 160_000, maxAllowed: 20_000))
        #expect(length.window(startOf: whole) == day(0)..<day(10))
        length.learn(day(0)..<day(10), quakes: 0)
        #expect(length.window(startOf: whole) == day(0)..<day(40))
        let shrank = length.halve(day(0)..<day(40))
        #expect(shrank && length.window(startOf: whole) == day(0)..<day(20))
        length.learn(day(0)..<day(20), quakes: 4_000)
        // 80 days by the density, but the 20 that follow were too many with the first 20.
        #expect(length.window(startOf: day(20)..<day(100)) == day(20)..<day(40))
        length.learn(day(20)..<day(40), quakes: 32_000)
        #expect(length.window(startOf: day(40)..<day(100)) == day(40)..<day(50))
        #expect(length.window(startOf: day(90)..<day(100)) == day(90)..<day(100))
        // Half of them ends with the same whole second.
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
