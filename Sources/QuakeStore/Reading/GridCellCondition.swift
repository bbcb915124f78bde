import Glibc

/// A condition on the cells of ``PlaceGrid`` that cover a filter's boxes or circles.
struct GridCellCondition {
    /// The maximum number of cells. Quakes in larger areas are read through the index by time.
    private static let maximumCells = 4000
    /// The maximum number of quakes in the cells. Sorting more quakes would take longer than a read through the index
    /// by time.
    private static let maximumQuakes = 20_000

    /// The condition for the quakes in the cells, which include some quakes outside the filter's boxes or circles.
    let condition: String

    /// Creates the condition; nil if the filter has neither boxes nor circles, or if their area is too large.
    init?(_ filter: QuakeFilter) {
        let boxes: [BoundingBox?] =
            filter.boundingBoxes.isEmpty ? filter.circles.map(\.boundingBox) : filter.boundingBoxes
        guard !boxes.isEmpty else { return nil }
        var cells: Set<Int> = []
        for box in boxes {
            guard let box, let covering = Self.cells(covering: box) else { return nil }
            cells.formUnion(covering)
            guard cells.count <= Self.maximumCells else { return nil }
        }
        condition = "\(PlaceGrid.expression) IN (\(cells.sorted().map(String.init).joined(separator: ", ")))"
    }

    /// Returns the numbers of the cells that cover `box`; nil if its edges are not on the globe or it is too large.
    private static func cells(covering box: BoundingBox) -> [Int]? {
        guard box.south >= -90, box.north <= 90, abs(box.west) <= 180, abs(box.east) <= 180 else { return nil }
        func cell(_ degrees: Double, upTo limit: Double) -> Int {
            Int((min(max(degrees, -limit), limit) + limit) * Double(PlaceGrid.perDegree))
        }
        let rows = cell(box.south, upTo: 90)...cell(box.north, upTo: 90)
        let west = cell(box.west, upTo: 180)
        let east = cell(box.east, upTo: 180)
        let last = min(box.crossesDateLine ? east + PlaceGrid.perRow : east, west + PlaceGrid.perRow - 1)
        guard west <= last, rows.count * (last - west + 1) <= maximumCells else { return nil }
        return rows.flatMap { row in (west...last).map { row * PlaceGrid.perRow + $0 % PlaceGrid.perRow } }
    }

    /// Whether so few quakes are in the cells that they are quickly found and sorted.
    func containFewQuakes(in database: Database) throws -> Bool {
        let rows = "SELECT 1 FROM quakes WHERE \(condition) LIMIT \(Self.maximumQuakes + 1)"
        let count = try database.prepare("SELECT count(*) FROM (\(rows))").first { $0.integer(0) }
        return count.map { $0 <= Self.maximumQuakes } ?? true
    }
}

extension QuakeFilter.Circle {
    /// A box slightly larger than the circle; nil if the radius is negative or not a finite number.
    fileprivate var boundingBox: BoundingBox? {
        guard radiusKilometers >= 0, radiusKilometers.isFinite else { return nil }
        let height = angularRadiusDegrees
        let south = center.latitude - height
        let north = center.latitude + height
        // The circle contains a pole, and thus every longitude.
        guard south > -90, north < 90 else {
            return try? BoundingBox(west: -180, south: south, east: 180, north: north)
        }
        let radians = Double.pi / 180
        let width = asin(min(1, sin(height * radians) / cos(center.latitude * radians))) / radians + 0.01
        let west = center.longitude - width
        let east = center.longitude + width
        return try? BoundingBox(
            west: west < -180 ? west + 360 : west, south: south, east: east > 180 ? east - 360 : east, north: north)
    }

    /// The radius in degrees of a great circle, slightly rounded up: a degree is 111.195 km long on the sphere of
    /// ``/QuakeModel/GeographicPoint/distanceKilometers(to:)``.
    var angularRadiusDegrees: Double { radiusKilometers / 111.19 + 0.01 }
}
