import QuakeModel
import Testing

struct BearingTests {
    private func bearing(_ from: (Double, Double), _ to: (Double, Double)) -> Double? {
        GeographicPoint(latitude: from.0, longitude: from.1)
            .bearingDegrees(to: GeographicPoint(latitude: to.0, longitude: to.1))
    }

    private func bearing(_ from: (Double, Double), _ to: (Double, Double), is expected: Double) -> Bool {
        bearing(from, to).map { abs($0 - expected) < 1e-6 } ?? false
    }

    @Test func aBearingCountsClockwiseFromNorth() {
        #expect(bearing((0, 0), (1, 0), is: 0))
        #expect(bearing((0, 0), (0, 1), is: 90))
        #expect(bearing((0, 0), (-1, 0), is: 180))
        #expect(bearing((0, 0), (0, -1), is: 270))
        // From London to New York by the great circle: west-northwest, although New York is farther south.
        #expect(bearing((51.5, 0), (40.7, -74)).map { (287...289).contains($0) } == true)
    }

    @Test func theDateLineIsNoBoundary() {
        #expect(bearing((0, 179.9), (0, -179.9), is: 90))
        #expect(bearing((0, -179.9), (0, 179.9), is: 270))
        #expect(bearing((-10, 180), (10, -180), is: 0))
    }

    @Test func fromAPoleThereIsOneDirection() {
        for longitude in [-180.0, -33, 0, 90, 180] {
            #expect(bearing((90, 12), (10, longitude)) == 180)
            #expect(bearing((-90, 12), (10, longitude)) == 0)
            #expect(bearing((10, longitude), (90, 0), is: 0))
            #expect(bearing((10, longitude), (-90, 0), is: 180))
        }
    }

    @Test func toTheSamePointAndToTheOppositeOneThereIsNone() {
        #expect(bearing((35.75, -117.48), (35.75, -117.48)) == nil)
        #expect(bearing((35.75, 180), (35.75, -180)) == nil)
        #expect(bearing((90, 0), (90, 77)) == nil)
        #expect(bearing((35.75, -117.48), (-35.75, 62.52)) == nil)
        #expect(bearing((90, 0), (-90, 5)) == nil)
    }

    @Test func aBearingIsNeverAFullTurn() {
        for step in 1...1000 {
            let bearing = bearing((50, 10), (51, 10 - Double(step) * 1e-15))
            #expect(bearing.map { (0..<360).contains($0) } == true)
        }
    }
}
