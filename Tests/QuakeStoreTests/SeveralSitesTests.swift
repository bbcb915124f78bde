import Foundation
import QuakeStore
import QuakeTestSupport
import Testing

/// Filters of several circles and boxes, compared with a plain program that knows neither SQL nor the filter's code.
@Suite("Filters of several sites", .computing) struct SeveralSitesTests {
    private static let count = 600

    /// Calls `body` with a cache of quakes all over the Earth, on its edges, and in two swarms.
    private func withWorld(_ body: (QuakeContext) throws -> Void) throws {
        try ScratchStore.with { _, context in
            var random = SplitMix64(state: 78)
            try context.write { writer in
                for number in 0..<Self.count {
                    let isNear = number % 3 > 0
                    let latitudes = isNear ? (number % 3 == 1 ? 35.0...36 : -17.0 ... -16) : -90.0...90
                    let longitudes = isNear ? (number % 3 == 1 ? 139.0...140 : 179.0...180) : -180.0...180
                    let quake = Quake.sample("us7\(1000 + number)", minutesAgo: Int64(number)).with {
                        $0.hypocenter.latitude = .random(in: latitudes, using: &random)
                        $0.hypocenter.longitude = .random(in: longitudes, using: &random)
                    }
                    try writer.insert(quake, reason: .new)
                }
            }
            try body(context)
        }
    }

    /// The plain program: the great-circle distance in kilometers by the dot product of two unit vectors.
    private static func distance(_ a: GeographicPoint, _ b: GeographicPoint) -> Double {
        func vector(_ point: GeographicPoint) -> (Double, Double, Double) {
            let latitude = point.latitude * .pi / 180
            let longitude = point.longitude * .pi / 180
            return (cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude))
        }
        let left = vector(a)
        let right = vector(b)
        let chord = [left.0 - right.0, left.1 - right.1, left.2 - right.2].map { $0 * $0 }.reduce(0, +)
        return 2 * 6371.0088 * asin(min(1, chord.squareRoot() / 2))
    }

    private static func isIn(_ box: BoundingBox, _ point: GeographicPoint) -> Bool {
        guard point.latitude >= box.south, point.latitude <= box.north else { return false }
        if box.west <= box.east { return point.longitude >= box.west && point.longitude <= box.east }
        return point.longitude >= box.west || point.longitude <= box.east
    }

    private static func point(_ random: inout SplitMix64) -> GeographicPoint {
        let swarms = [(35.5, 139.5), (-16.5, 179.8)]
        guard let swarm = swarms.randomElement(using: &random), Bool.random(using: &random) else {
            return GeographicPoint(
                latitude: .random(in: -90...90, using: &random), longitude: .random(in: -180...180, using: &random))
        }
        return GeographicPoint(
            latitude: swarm.0 + .random(in: -1...1, using: &random),
            longitude: min(180, swarm.1 + .random(in: -1...1, using: &random)))
    }

    private static func box(_ random: inout SplitMix64) throws -> BoundingBox {
        let corner = point(&random)
        let east = corner.longitude + .random(in: 0...30, using: &random)
        return try BoundingBox(
            west: corner.longitude, south: corner.latitude, east: east > 180 ? east - 360 : east,
            north: min(90, corner.latitude + .random(in: 0...20, using: &random)))
    }

    @Test("1,000 random filters by circles and boxes select the same quakes as a direct computation")
    func randomFilters() throws {
        try withWorld { context in
            let quakes = try context.fetch().map(\.quake)
            #expect(quakes.count == Self.count)
            var random = SplitMix64(state: 79)
            var selected = 0
            for number in 0..<1000 {
                let radius = [30, 300, 3000].randomElement(using: &random) ?? 30
                let centers = (0..<Int.random(in: number % 4 == 0 ? 0...0 : 1...40, using: &random)).map { _ in
                    Self.point(&random)
                }
                let boxes = try (0..<Int.random(in: number % 3 == 0 ? 0...0 : 1...5, using: &random)).map { _ in
                    try Self.box(&random)
                }
                let filter = QuakeFilter(
                    boundingBoxes: boxes, circles: centers.map { .init(center: $0, radiusKilometers: Double(radius)) })
                let expected = quakes.filter { quake in
                    let place = quake.epicenter
                    return (centers.isEmpty || centers.contains { Self.distance($0, place) <= Double(radius) })
                        && (boxes.isEmpty || boxes.contains { Self.isIn($0, place) })
                }
                selected += expected.count
                #expect(quakes.filter(filter.accepts).map(\.id) == expected.map(\.id), "\(filter)")
                let found = try context.fetch(QuakeDescriptor(filter: filter)).map(\.quake)
                #expect(found.map(\.id) == expected.map(\.id), "\(filter)")
                #expect(try context.fetchCount(filter) == expected.count)
                guard !centers.isEmpty else { continue }
                let byDistance = try context.fetch(QuakeDescriptor(filter: filter, sortBy: .distance(from: centers)))
                let distances = byDistance.map { stored in
                    centers.map { Self.distance($0, stored.quake.epicenter) }.min() ?? 0
                }
                #expect(zip(distances, distances.dropFirst()).allSatisfy { $0 <= $1 + 1e-6 }, "\(filter)")
                #expect(Set(byDistance.map(\.quake.id)) == Set(expected.map(\.id)))
            }
            #expect(selected > 20_000, "\(selected)")
        }
    }

    @Test("A past state lists the same quakes for 1,000 circles and boxes as when it was current") func manySites()
        throws
    {
        try withWorld { context in
            var random = SplitMix64(state: 80)
            let centers = (0..<1000).map { _ in Self.point(&random) }
            var filter = QuakeFilter(circles: centers.map { .init(center: $0, radiusKilometers: 50) })
            filter.boundingBoxes = try (0..<1000).map { _ in try Self.box(&random) }
            let descriptor = QuakeDescriptor(filter: filter, sortBy: .distance(from: centers), limit: 100)
            let found = try context.fetch(descriptor).map(\.quake.id)
            #expect(!found.isEmpty)
            let token = try context.history.currentToken()
            try context.record(.sample("us7zzzz"))
            try context.pin(to: .token(token))
            #expect(try context.fetch(descriptor).map(\.quake.id) == found)
            let copy = try JSONDecoder().decode(QuakeFilter.self, from: JSONEncoder().encode(filter))
            #expect(copy == filter)
        }
    }

    @Test("A circle with an impossible center selects nothing, and other circles still apply") func impossibleSite()
        throws
    {
        try withWorld { context in
            let nowhere = QuakeFilter.Circle(
                center: GeographicPoint(latitude: 91, longitude: 0), radiusKilometers: 20_000)
            let tokyo = QuakeFilter.Circle(
                center: GeographicPoint(latitude: 35.5, longitude: 139.5), radiusKilometers: 100)
            #expect(try context.fetchCount(QuakeFilter(circles: [nowhere])) == 0)
            let both = try context.fetchCount(QuakeFilter(circles: [nowhere, tokyo]))
            #expect(try both > 100 && both == context.fetchCount(QuakeFilter(circles: [tokyo])))
        }
    }

    @Test("An intensity filter with several places selects quakes expected to be felt at any of them")
    func intensityAtAnyPlace() throws {
        try withWorld { context in
            let tokyo = GeographicPoint(latitude: 35.5, longitude: 139.5)
            let fiji = GeographicPoint(latitude: -16.5, longitude: 179.5)
            func ids(_ places: [GeographicPoint]) throws -> Set<String> {
                let filter = QuakeFilter(intensity: .init(places: places, minimumIntensity: 3))
                let found = Set(try context.fetch(QuakeDescriptor(filter: filter)).map(\.quake.id))
                #expect(found == Set(try context.fetch().map(\.quake).filter(filter.accepts).map(\.id)))
                return found
            }
            let both = try ids([tokyo, fiji])
            #expect(try both == ids([tokyo]).union(ids([fiji])))
            #expect(try !ids([tokyo]).isEmpty && !ids([fiji]).isEmpty && ids([]).isEmpty)
        }
    }
}
