import QuakeTestSupport
import Testing

@testable import QuakeStore

@Suite("Filters by estimated intensity", .computing, .scratch) final class IntensityFilterTests: SuiteWithCache {
    /// A hundred thousand quakes around the Earth, some of which lack a magnitude or a depth.
    private static var quakes: [Quake] {
        var random = SplitMix64(state: 30)
        return (0..<100_000).map { number in
            let hypocenter = Hypocenter(
                longitude: .random(in: -180...180, using: &random), latitude: .random(in: -90...90, using: &random),
                depthKilometers: number % 50 == 0 ? nil : .random(in: -3...700, using: &random))
            return Quake(
                sample: "us\(number)", at: hypocenter,
                magnitude: number % 70 == 0 ? nil : .random(in: -2...9, using: &random))
        }
    }

    @Test("SQL and in-memory filters by estimated intensity agree on 100,000 quakes") func agreesInSQLAndMemory() throws
    {
        let quakes = Self.quakes
        let database = context.session.connection
        try database.execute("CREATE TEMP TABLE sample (mag, depth, lat, lon)")
        let insert = try database.prepare("INSERT INTO sample (rowid, mag, depth, lat, lon) VALUES (?, ?, ?, ?, ?)")
        for (number, quake) in quakes.enumerated() {
            let place = quake.hypocenter
            try insert.run(number, quake.magnitude, place.depthKilometers, place.latitude, place.longitude)
        }
        for (latitude, longitude, intensity) in [
            (35.69, 139.692, 3.5), (-90, 0, 1), (0, 180, 4), (18.466, -66.106, -.infinity), (0, 0, 9.9),
        ] {
            var filter = QuakeFilter()
            filter.intensity = QuakeFilter.Intensity(
                places: [GeographicPoint(latitude: latitude, longitude: longitude)], minimumIntensity: intensity)
            let sql = try FilterSQL(filter)
            let query = try database.prepare("SELECT rowid FROM sample\(sql.whereClause()) ORDER BY rowid")
            var found: [Int] = []
            try query.forEach(sql.values) { found.append(Int($0.integer(0))) }
            #expect(found == quakes.indices.filter { filter.accepts(quakes[$0]) })
            #expect(intensity > 9 || !found.isEmpty)
        }
    }
}
