import QuakeTestSupport
import Testing

@testable import QuakeStore

/// Queries by place use an index if the area is small, and return the same quakes either way.
@Suite("Searching by place", .computing) struct PlaceIndexTests {
    /// Calls `body` with a cache of quakes all over the Earth, on its edges, and in a swarm around 19.5 N 155.5 W.
    private func withWorld(_ body: (QuakeContext, [Quake]) throws -> Void) throws {
        try ScratchStore.with { _, context in
            var random = SplitMix64(state: 11)
            var places: [(Double, Double)] = [-90, -89.5, -0.5, 0, 12, 89.99, 90].flatMap { latitude in
                [-180, -179.99, -0.5, 0, 0.5, 179.5, 180].map { (latitude, $0) }
            }
            for _ in 0..<4000 {
                places.append(
                    (Double.random(in: -90...90, using: &random), Double.random(in: -180...180, using: &random)))
            }
            for _ in 0..<400 {
                places.append(
                    (Double.random(in: 19...20, using: &random), Double.random(in: -156 ... -155, using: &random)))
            }
            let quakes = places.enumerated().map { index, place in
                Quake.sample("us7\(1000 + index)", minutesAgo: Int64(index)).with {
                    ($0.hypocenter.latitude, $0.hypocenter.longitude) = place
                }
            }
            try context.write { writer in for quake in quakes { try writer.insert(quake, reason: .new) } }
            try body(context, quakes)
        }
    }

    private func circle(_ latitude: Double, _ longitude: Double, _ kilometers: Double) -> QuakeFilter {
        let center = GeographicPoint(latitude: latitude, longitude: longitude)
        return QuakeFilter(circles: [.init(center: center, radiusKilometers: kilometers)])
    }

    private func box(_ west: Double, _ south: Double, _ east: Double, _ north: Double) throws -> QuakeFilter {
        QuakeFilter(boundingBoxes: [try BoundingBox(west: west, south: south, east: east, north: north)])
    }

    private func usesIndex(_ context: QuakeContext, _ change: (inout QuakeDescriptor) -> Void) throws -> Bool {
        var descriptor = QuakeDescriptor()
        change(&descriptor)
        let plans = try context.plans { _ = try context.fetchIdentifiers(descriptor) }
        return try #require(plans.last).has("SEARCH quakes USING INDEX quakes_by_place (<expr>=?)")
    }

    @Test("Boxes and circles select the right quakes, whether or not the place index is used") func boxesAndCircles()
        throws
    {
        try withWorld { context, quakes in
            var random = SplitMix64(state: 12)
            var filters = [
                try box(-180, -90, 180, 90), try box(179, -1, -179, 1), try box(180, -90, -180, 90),
                try box(-180, 0, -180, 0), try box(180, 12, 180, 12), try box(-200, -1, 200, 1),
                try box(500, 0, 600, 5),
                try box(-300, -100, -179, -88), circle(90, 0, 300), circle(-90, 77, 60), circle(89.9, -170, 30),
                circle(0, 180, 80), circle(12, -179.999, 60), circle(0, 0, 0), circle(0, 0, 30_000),
                circle(85, 10, 500),
            ]
            for _ in 0..<Thoroughness.count(50, of: 500) {
                let (latitude, longitude) = (
                    Double.random(in: -90...90, using: &random), Double.random(in: -180...180, using: &random)
                )
                filters.append(circle(latitude, longitude, Double.random(in: 1...400, using: &random)))
                filters.append(
                    try box(
                        longitude, max(-90, latitude - 9), Double.random(in: -180...180, using: &random), latitude))
                filters.append(try box(longitude, latitude, longitude + 2, min(90, latitude + 3)))
            }
            var indexed = 0
            for filter in filters {
                let accepted = quakes.filter(filter.accepts).map(\.id)
                let found = try context.fetch(QuakeDescriptor(filter: filter)).map(\.quake.id)
                #expect(found == accepted, "\(filter)")
                #expect(try context.fetchCount(filter) == accepted.count, "\(filter)")
                if try usesIndex(context, { $0.filter = filter }) { indexed += 1 }
            }
            #expect(indexed * 5 > filters.count && indexed * 5 < filters.count * 4, "\(indexed) of \(filters.count)")
        }
    }

    @Test("Searching a small area uses the place index, but searching half the Earth does not")
    func smallAreaUsesIndex() throws {
        try withWorld { context, _ in
            let (small, half) = (try box(0, 0, 5, 5), try box(-180, -90, 0, 90))
            // Without the index, a small map would read all years.
            #expect(try usesIndex(context) { $0.filter = small })
            #expect(try usesIndex(context) { ($0.filter, $0.limit) = (circle(10, 10, 200), 20) })
            // Half the Earth.
            #expect(try !usesIndex(context) { $0.filter = half })
        }
    }

    @Test("A search by place in a past state uses the locations of that time") func pastState() throws {
        try withWorld { context, quakes in
            let filter = try box(0, 0, 5, 5)
            let accepted = quakes.filter(filter.accepts)
            let token = try context.history.currentToken()
            let key = try #require(try context.key(ofID: accepted[0].id))
            try context.revise(key) { $0.hypocenter.latitude = 40 }
            #expect(try context.fetch(QuakeDescriptor(filter: filter)).count == accepted.count - 1)
            try context.pin(to: .token(token))
            #expect(try context.fetch(QuakeDescriptor(filter: filter)).map(\.quake.id) == accepted.map(\.id))
            #expect(try context.fetchCount(filter) == accepted.count)
        }
    }
}
