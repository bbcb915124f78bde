import Glibc
import QuakeModel

/// The cells of one degree by one degree that hold the places of a filter: what the index `quakes_by_place` finds.
struct PlaceCells {
    /// The cell of a row of `quakes`, as SQL: 360 in a row, the rows from the south pole on. 180° east is 180° west.
    static let expression = "CAST(lat + 90 AS INTEGER) * 360 + CAST(lon + 180 AS INTEGER) % 360"
    /// More cells are no small part of the Earth.
    private static let mostCells = 1000
    /// More quakes are read by time: sorting them takes longer.
    private static let mostQuakes = 20_000
    /// Reading and sorting a row by place takes as long as reading so many by time.
    private static let priceOfQuake = 4

    private let cells: [Int]

    /// Nil when the filter names no place, or a large one.
    init?(_ filter: QuakeFilter) {
        guard let box = filter.boundingBox ?? filter.circle?.boundingBox else { return nil }
        func degrees(_ value: Double, upTo limit: Double) -> Int { Int(min(max(value, -limit), limit) + limit) }
        let rows = degrees(box.south, upTo: 90)...degrees(box.north, upTo: 90)
        let (west, east) = (degrees(box.west, upTo: 180), degrees(box.east, upTo: 180))
        let last = min(box.crossesDateLine ? east + 360 : east, west + 359)
        guard west <= last, rows.count * (last - west + 1) <= Self.mostCells else { return nil }
        cells = rows.flatMap { row in (west...last).map { row * 360 + $0 % 360 } }
    }

    /// Accepts the quakes of the cells, which are all that the filter's places accept and some around them.
    var condition: String { "\(Self.expression) IN (\(cells.map(String.init).joined(separator: ", ")))" }

    /// Whether the first `limit` quakes that `filter` accepts are found with less work by place than by time.
    func arePreferable(for filter: QuakeFilter, limit: Int?, in database: Database) throws -> Bool {
        let inside = Int(
            try database.integer(
                "SELECT count(*) FROM (SELECT 1 FROM quakes WHERE \(condition) LIMIT \(Self.mostQuakes + 1))") ?? 0)
        guard inside <= Self.mostQuakes else { return false }
        // One in so many quakes is inside; a reader by time stops at the limit.
        let pages = limit.map { max(1, inside / max(1, $0)) } ?? 1
        let price = Self.priceOfQuake * inside * pages
        guard filter.since != nil || filter.until != nil else {
            return try database.integer("SELECT max(key) FROM quakes") ?? 0 >= price
        }
        guard price <= Self.priceOfQuake * Self.mostQuakes else { return false }
        var times = QuakeFilter()
        (times.since, times.until) = (filter.since, filter.until)
        let range = FilterSQL(times)
        let query = "SELECT count(*) FROM (SELECT 1 FROM quakes\(range.whereClause()) LIMIT \(price))"
        let statement = try database.prepare(query)
        try statement.bindAll(range.values)
        return try statement.step() && statement.integer(0) >= price
    }
}

extension QuakeFilter.Circle {
    /// A box around the circle, a little larger; nil when the radius is no number or less than 0.
    fileprivate var boundingBox: BoundingBox? {
        guard radiusKilometers >= 0, radiusKilometers.isFinite else { return nil }
        let height = angularRadiusDegrees
        let (south, north) = (center.latitude - height, center.latitude + height)
        // A pole lies inside: every longitude does.
        guard south > -90, north < 90 else {
            return try? BoundingBox(west: -180, south: south, east: 180, north: north)
        }
        let radians = Double.pi / 180
        let width = asin(min(1, sin(height * radians) / cos(center.latitude * radians))) / radians + 0.01
        let (west, east) = (center.longitude - width, center.longitude + width)
        return try? BoundingBox(
            west: west < -180 ? west + 360 : west, south: south, east: east > 180 ? east - 360 : east, north: north)
    }

    /// The radius in degrees of a great circle, a little larger: a degree has 111.195 km on the sphere of
    /// ``/QuakeModel/GeographicPoint/distanceKilometers(to:)``.
    var angularRadiusDegrees: Double { radiusKilometers / 111.19 + 0.01 }
}
