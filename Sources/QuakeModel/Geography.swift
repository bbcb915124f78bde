public import FoundationEssentials
import Glibc

/// The point inside the Earth where a quake began.
public struct Hypocenter: Hashable, Sendable, Codable {
    /// The longitude in degrees east, from -180 through 180.
    public var longitude: Double
    /// The latitude in degrees north, from -90 through 90.
    public var latitude: Double
    /// The depth in kilometers below sea level, negative above sea level; nil if not published.
    public var depthKilometers: Double?

    public init(longitude: Double, latitude: Double, depthKilometers: Double?) {
        self.longitude = longitude
        self.latitude = latitude
        self.depthKilometers = depthKilometers
    }

    /// Possible depths in kilometers: from an explosion high in the atmosphere to the center of the Earth.
    package static let possibleDepths = -100.0...6400.0
}

/// A point on the Earth's surface, in degrees.
public struct GeographicPoint: Hashable, Sendable, Codable {
    /// The latitude in degrees north.
    public var latitude: Double
    /// The longitude in degrees east.
    public var longitude: Double

    public init(latitude: Double, longitude: Double) { (self.latitude, self.longitude) = (latitude, longitude) }

    /// Returns the great-circle distance to `other` in kilometers, on a sphere with a radius of 6371.0088 km.
    ///
    /// The error is at most 0.6%, because the Earth is not quite a sphere.
    public func distanceKilometers(to other: GeographicPoint) -> Double {
        let radians = Double.pi / 180
        let latitudeStep = (other.latitude - latitude) * radians
        let longitudeStep = (other.longitude - longitude) * radians
        let chord =
            pow(sin(latitudeStep / 2), 2)
            + cos(latitude * radians) * cos(other.latitude * radians) * pow(sin(longitudeStep / 2), 2)
        return 2 * 6371.0088 * asin(min(1, chord.squareRoot()))
    }

    /// Returns the initial bearing of the great circle to `other` in degrees clockwise from north, from 0 up to, but
    /// not including, 360. The bearing is 180 from the North Pole and 0 from the South Pole. Returns nil if `other` is
    /// the same point or its antipode.
    public func bearingDegrees(to other: GeographicPoint) -> Double? {
        let radians = Double.pi / 180
        let start = latitude * radians
        let end = other.latitude * radians
        let step = (other.longitude - longitude) * radians
        let east = sin(step) * cos(end)
        let north = cos(start) * sin(end) - sin(start) * cos(end) * cos(step)
        // The threshold, 6 µm on the ground, exceeds the rounding errors of sine and cosine.
        guard max(abs(east), abs(north)) > 1e-12 else { return nil }
        if abs(latitude) == 90 { return latitude > 0 ? 180 : 0 }
        let degrees = atan2(east, north) / radians
        let turned = degrees < 0 ? degrees + 360 : degrees
        return turned < 360 ? turned : 0
    }
}

/// An error in the edges of a ``BoundingBox``.
public enum BoundingBoxError: Error, Equatable, Sendable {
    /// An edge is infinite or not a number.
    case notFinite
    /// The southern edge is north of the northern edge.
    case southAboveNorth(south: Double, north: Double)
}

extension BoundingBoxError: LocalizedError {
    public var errorDescription: String? {
        switch self {
        case .notFinite: "An edge of the rectangle is not a number of degrees."
        case .southAboveNorth(let south, let north):
            "The southern edge of the rectangle, \(south), is north of its northern edge, \(north)."
        }
    }
}

/// A rectangle in degrees. If its western edge is east of its eastern edge, it crosses the 180th meridian.
public struct BoundingBox: Hashable, Sendable {
    /// The longitude of the western edge, in degrees east.
    public let west: Double
    /// The latitude of the southern edge, in degrees north.
    public let south: Double
    /// The longitude of the eastern edge, in degrees east.
    public let east: Double
    /// The latitude of the northern edge, in degrees north.
    public let north: Double

    /// Creates a rectangle from its four edges in degrees.
    ///
    /// - Throws: ``BoundingBoxError`` if the edges do not form a rectangle.
    public init(west: Double, south: Double, east: Double, north: Double) throws(BoundingBoxError) {
        guard [west, south, east, north].allSatisfy(\.isFinite) else { throw .notFinite }
        guard south <= north else { throw .southAboveNorth(south: south, north: north) }
        self.west = west
        self.south = south
        self.east = east
        self.north = north
    }

    /// Whether the rectangle crosses the 180th meridian.
    package var crossesDateLine: Bool { west > east }

    /// Whether `hypocenter` lies within the rectangle, edges included.
    public func contains(_ hypocenter: Hypocenter) -> Bool {
        guard (south...north).contains(hypocenter.latitude) else { return false }
        return crossesDateLine
            ? hypocenter.longitude >= west || hypocenter.longitude <= east
            : (west...east).contains(hypocenter.longitude)
    }
}

extension BoundingBox: Codable {
    /// Decodes the four edges. Throws ``BoundingBoxError`` if they do not form a rectangle.
    public init(from decoder: any Decoder) throws {
        let edges = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            west: edges.decode(Double.self, forKey: .west), south: edges.decode(Double.self, forKey: .south),
            east: edges.decode(Double.self, forKey: .east), north: edges.decode(Double.self, forKey: .north))
    }
}

extension Quake {
    /// The point on the surface above the hypocenter.
    public var epicenter: GeographicPoint {
        GeographicPoint(latitude: hypocenter.latitude, longitude: hypocenter.longitude)
    }
}
