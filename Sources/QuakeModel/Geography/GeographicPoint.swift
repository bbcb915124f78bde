import Glibc

/// A point on the Earth's surface, in degrees.
public struct GeographicPoint: Hashable, Sendable, Codable {
    /// The latitude in degrees north.
    public var latitude: Double
    /// The longitude in degrees east.
    public var longitude: Double

    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Returns the great-circle distance to `other` in kilometers, on a sphere with a radius of 6371.0088 km.
    ///
    /// Because the Earth is not quite a sphere, the error can reach 0.6%. The result is NaN if a coordinate is not
    /// finite.
    public func distanceKilometers(to other: GeographicPoint) -> Double {
        let radians = Double.pi / 180
        let latitudeStep = (other.latitude - latitude) * radians
        let longitudeStep = (other.longitude - longitude) * radians
        let chord =
            pow(sin(latitudeStep / 2), 2)
            + cos(latitude * radians) * cos(other.latitude * radians) * pow(sin(longitudeStep / 2), 2)
        // With its arguments in this order, min() returns NaN if the first is NaN.
        return 2 * 6371.0088 * asin(min(chord.squareRoot(), 1))
    }

    /// Returns the initial bearing of the great circle to `other` in degrees clockwise from north, from 0 up to, but
    /// not including, 360. The bearing is 180 from the North Pole and 0 from the South Pole. Returns nil if `other` is
    /// the same point or its antipode, or a coordinate is not finite.
    public func bearingDegrees(to other: GeographicPoint) -> Double? {
        let radians = Double.pi / 180
        let start = latitude * radians
        let end = other.latitude * radians
        let step = (other.longitude - longitude) * radians
        let east = sin(step) * cos(end)
        let north = cos(start) * sin(end) - sin(start) * cos(end) * cos(step)
        // The threshold, about 6 µm on the ground, exceeds the rounding errors of sine and cosine.
        guard abs(east) > 1e-12 || abs(north) > 1e-12 else { return nil }
        if abs(latitude) == 90 { return latitude > 0 ? 180 : 0 }
        let degrees = atan2(east, north) / radians
        let turned = degrees < 0 ? degrees + 360 : degrees
        return turned < 360 ? turned : 0
    }
}
