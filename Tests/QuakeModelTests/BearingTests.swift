import QuakeModel
import Testing

struct BearingTests {
    private func bearing(_ from: (Double, Double), _ to: (Double, Double)) -> Double? {
        GeographicPoint(latitude: from.0, longitude: from.1)
            .bearingDegrees(to: GeographicPoint(latitude: to.0, longitude: to.1))
    }

    @Test(
        "The bearing from one point to another is in degrees clockwise from north",
        arguments: [
            ((0, 0), (1, 0), 0), ((0, 0), (0, 1), 90), ((0, 0), (-1, 0), 180), ((0, 0), (0, -1), 270),
            // From London to New York by the great circle: west-northwest, although New York is farther south.
            ((51.5, 0), (40.7, -74), 288.3979505), ((0, 179.9), (0, -179.9), 90), ((0, -179.9), (0, 179.9), 270),
            ((-10, 180), (10, -180), 0), ((35.75, -117.48), (35.75, -117.48), nil), ((35.75, 180), (35.75, -180), nil),
            ((90, 0), (90, 77), nil), ((35.75, -117.48), (-35.75, 62.52), nil), ((90, 0), (-90, 5), nil),
        ] as [((Double, Double), (Double, Double), Double?)])
    func degrees(from: (Double, Double), to: (Double, Double), expected: Double?) {
        let found = bearing(from, to)
        #expect((found == nil) == (expected == nil))
        if let found, let expected { #expect(abs(found - expected) < 1e-6, "\(found)") }
    }

    @Test("Every bearing from the North Pole is 180°, and every bearing from the South Pole is 0°") func poles() throws
    {
        for longitude in [-180.0, -33, 0, 90, 180] {
            #expect(bearing((90, 12), (10, longitude)) == 180 && bearing((-90, 12), (10, longitude)) == 0)
            #expect(try abs(#require(bearing((10, longitude), (90, 0)))) < 1e-6)
            #expect(try abs(#require(bearing((10, longitude), (-90, 0))) - 180) < 1e-6)
        }
    }

    @Test(
        "A point whose coordinates are not finite has no bearing, distance or intensity",
        arguments: [Double.nan, .infinity])
    func nowhere(coordinate: Double) {
        let here = GeographicPoint(latitude: 50, longitude: 10)
        for point in [
            GeographicPoint(latitude: coordinate, longitude: 10), GeographicPoint(latitude: 50, longitude: coordinate),
        ] {
            #expect(here.bearingDegrees(to: point) == nil && point.bearingDegrees(to: here) == nil)
            #expect(here.distanceKilometers(to: point).isNaN && point.distanceKilometers(to: here).isNaN)
            let intensity = EstimatedIntensity(magnitude: 6, epicenter: here, depthKilometers: 10, at: point)
            #expect(intensity == nil)
        }
        #expect(EstimatedIntensity(magnitude: 6, epicenter: here, depthKilometers: coordinate, at: here) == nil)
    }

    @Test("A bearing is always less than 360°") func lessThan360() {
        for step in 1...1000 {
            let bearing = bearing((50, 10), (51, 10 - Double(step) * 1e-15))
            #expect(bearing.map { (0..<360).contains($0) } == true)
        }
    }
}
