import QuakeModel
import QuakeTestSupport
import Testing

@testable import QuakeStore

@Suite("Which parts of the catalogue the cache holds")
struct CatalogueCoverageTests {
    private static let day = Duration.seconds(86_400)

    private func day(_ number: Int64) -> Timestamp { Timestamp(milliseconds: number * 86_400_000) }

    private func part(
        _ first: Int64, _ last: Int64, from magnitude: Double? = nil, asOf: Int64 = 1000, isOpenEnded: Bool = false
    ) -> CataloguePart {
        CataloguePart(
            filter: QuakeFilter(minimumMagnitude: magnitude), originTimes: day(first)..<day(last), asOf: day(asOf),
            isOpenEnded: isOpenEnded)
    }

    private func coverage(_ parts: CataloguePart...) -> [CataloguePart] {
        var coverage = CatalogueCoverage()
        parts.forEach { coverage.add($0) }
        return coverage.parts
    }

    @Test("Windows that follow each other become one part, as of the earlier moment")
    func neighbours() {
        let parts = coverage(part(0, 10, asOf: 1001), part(20, 30), part(10, 20, asOf: 1001))
        #expect(parts == [part(0, 30, asOf: 1000)])
    }

    @Test("Neighbours that were asked for on different days stay apart, and so do other conditions")
    func apart() {
        #expect(coverage(part(0, 10, asOf: 900), part(10, 20)).count == 2)
        #expect(coverage(part(0, 10, from: 4), part(10, 20, from: 5)).count == 2)
    }

    @Test("A part replaces what it includes of others and leaves the rest, and whether that has an end")
    func replacement() {
        let parts = coverage(part(0, 30, from: 5, asOf: 900, isOpenEnded: true), part(10, 20, from: 4))
        #expect(
            parts == [
                part(0, 10, from: 5, asOf: 900), part(10, 20, from: 4),
                part(20, 30, from: 5, asOf: 900, isOpenEnded: true),
            ])
        #expect(coverage(part(0, 30, from: 5, isOpenEnded: true), part(0, 30, from: 4)).first?.isOpenEnded == true)
        #expect(coverage(part(0, 30, from: 4), part(0, 30, from: 5)) == [part(0, 30, from: 4), part(0, 30, from: 5)])
        // Who asked for the end is extended, not what takes its place there.
        #expect(
            coverage(part(0, 30, from: 5, asOf: 900, isOpenEnded: true), part(20, 30, from: 4))
                == [part(0, 20, from: 5, asOf: 900, isOpenEnded: true), part(20, 30, from: 4)])
        #expect(
            coverage(part(0, 30, asOf: 900, isOpenEnded: true), part(20, 30))
                == [part(0, 20, asOf: 900), part(20, 30, isOpenEnded: true)])
    }

    @Test("What is forgotten is held no longer: the parts that a filter includes, in its times")
    func forgetting() throws {
        try ScratchStore.with { _, context in
            for part in [part(0, 30, from: 5, isOpenEnded: true), part(40, 50, from: 3)] {
                try context.write { try $0.cover(part) }
            }
            var filter = QuakeFilter(minimumMagnitude: 4)
            filter.since = day(20)
            #expect(try context.forgetCatalogue(filter) == [part(20, 30, from: 5, isOpenEnded: true)])
            #expect(try context.catalogueParts() == [part(0, 20, from: 5), part(40, 50, from: 3)])
            #expect(try context.forgetCatalogue().count == 2)
            // A part that ends where the forgotten one began is not extended into its place.
            for part in [part(0, 30, from: 5, isOpenEnded: true), part(20, 30, from: 3, isOpenEnded: true)] {
                try context.write { try $0.cover(part) }
            }
            filter = QuakeFilter()
            filter.since = day(20)
            #expect(try context.forgetCatalogue(filter) == [part(20, 30, from: 3, isOpenEnded: true)])
            #expect(try context.catalogueParts() == [part(0, 20, from: 5)])
            try context.forgetCatalogue()
            #expect(try context.catalogueParts().isEmpty && context.forgetCatalogue().isEmpty)
        }
    }

    @Test("An update moves the parts on in its window alone, whatever their conditions")
    func advance() {
        var coverage = CatalogueCoverage([part(0, 20, asOf: 900), part(0, 20, from: 5, asOf: 900)])
        coverage.advance(day(5)..<day(20), to: day(1000))
        #expect(Set(coverage.parts.map(\.asOf)) == [day(900), day(1000)])
        coverage.advance(day(0)..<day(5), to: day(1000))
        #expect(coverage.parts == [part(0, 20), part(0, 20, from: 5)])
        coverage.advance(day(0)..<day(20), to: day(950))
        #expect(coverage.parts.allSatisfy { $0.asOf == day(1000) })
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
        let part = CataloguePart(filter: filter, originTimes: day(0)..<day(1), asOf: day(2), isOpenEnded: true)
        try ScratchStore.with { scratch, context in
            #expect(throws: StoreError.self) {
                try context.write { writer in
                    try writer.cover(part)
                    throw StoreError.contextState("a failure after it")
                }
            }
            #expect(try context.catalogueParts().isEmpty)
            try context.write { try $0.cover(part) }
            #expect(try scratch.store.context(access: .reading).catalogueParts() == [part])
            try context.write { try $0.advanceCatalogue(part.originTimes, to: day(3)) }
            #expect(try context.catalogueParts().map(\.asOf) == [day(3)])
        }
    }
}
