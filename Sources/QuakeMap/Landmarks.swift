import QuakeModel

/// The coasts and named cities by which readers recognize a part of the Earth.
struct Landmarks {
    private let coastlines: [Outlines.Line]
    private let cities: [GeographicPoint]

    /// Collects all coasts, and the cities that a map `width` degrees wide can name.
    init(width: Double) {
        coastlines = Outlines(.fine).coastlines
        let finest = Places.finestRank(unitsPerDegree: 1100 / width)
        cities = Places().cities.prefix { $0.rank <= finest }.map(\.point)
    }

    func isAny(in bounds: MapBounds) -> Bool {
        cities.contains(where: bounds.contains)
            || coastlines.contains { line in
                !line.longitudeShifts(in: bounds).isEmpty && points(of: line).contains(where: bounds.contains)
            }
    }

    func nearest(to point: GeographicPoint) -> GeographicPoint? {
        let points = cities + coastlines.flatMap(points(of:))
        let distances = points.map { $0.distanceKilometers(to: point) }
        return zip(points, distances).min { $0.1 < $1.1 }?.0
    }

    private func points(of line: Outlines.Line) -> some Sequence<GeographicPoint> {
        line.points.lazy.map { GeographicPoint(latitude: $0.latitude, longitude: $0.longitude) }
    }

    /// Returns whether a coast of the coarse outlines, which are quick to search, lies within `bounds`.
    static func isCoast(in bounds: MapBounds) -> Bool {
        Outlines(.coarse, in: bounds).coastlines.contains { line in
            line.points.contains {
                bounds.contains(GeographicPoint(latitude: $0.latitude, longitude: $0.longitude))
            }
        }
    }
}
