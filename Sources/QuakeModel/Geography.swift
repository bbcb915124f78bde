public import FoundationEssentials
import Glibc

/// Where a quake began: a point on the ellipsoid and a depth below it.
public struct Hypocenter: Hashable, Sendable, Codable {
    /// Degrees east, -180 to 180; exactly 180 occurs.
    public var longitude: Double
    /// Degrees north, -90 to 90.
    public var latitude: Double
    /// Kilometers below sea level; negative above it. Nil when not published.
    public var depthKilometers: Double?

    /// A hypocenter from degrees and kilometers.
    public init(longitude: Double, latitude: Double, depthKilometers: Double?) {
        (self.longitude, self.latitude, self.depthKilometers) = (longitude, latitude, depthKilometers)
    }

    /// Possible depths in kilometers: from an explosion high in the atmosphere to the center of the Earth.
    package static let possibleDepths = -100.0...6400.0
}

/// A point on the Earth's surface, in degrees.
public struct GeographicPoint: Hashable, Sendable, Codable {
    /// Degrees north.
    public var latitude: Double
    /// Degrees east.
    public var longitude: Double

    /// A point from degrees north and degrees east.
    public init(latitude: Double, longitude: Double) { (self.latitude, self.longitude) = (latitude, longitude) }

    /// Kilometers to `other` along the great circle of a sphere of mean Earth radius (6371.0088 km, IUGG).
    ///
    /// The haversine form, exact enough (0.5%) for "near me" and stable for small distances.
    public func distanceKilometers(to other: GeographicPoint) -> Double {
        let radians = Double.pi / 180
        let latitudeStep = (other.latitude - latitude) * radians
        let longitudeStep = (other.longitude - longitude) * radians
        let chord =
            pow(sin(latitudeStep / 2), 2)
            + cos(latitude * radians) * cos(other.latitude * radians) * pow(sin(longitudeStep / 2), 2)
        return 2 * 6371.0088 * asin(min(1, chord.squareRoot()))
    }

    /// The direction in which the great circle to `other` starts: degrees clockwise from north, 0 up to but not
    /// including 360. From a pole it is 180 or 0. Nil if every direction is as good: to the same point and to the
    /// opposite one.
    public func bearingDegrees(to other: GeographicPoint) -> Double? {
        let radians = Double.pi / 180
        let (start, end) = (latitude * radians, other.latitude * radians)
        let step = (other.longitude - longitude) * radians
        let east = sin(step) * cos(end)
        let north = cos(start) * sin(end) - sin(start) * cos(end) * cos(step)
        // Rounding errors of sine and cosine are smaller; on the ground this is 6 µm.
        guard max(abs(east), abs(north)) > 1e-12 else { return nil }
        if abs(latitude) == 90 { return latitude > 0 ? 180 : 0 }
        let degrees = atan2(east, north) / radians
        let turned = degrees < 0 ? degrees + 360 : degrees
        return turned < 360 ? turned : 0
    }
}

/// What is wrong with the edges of a ``BoundingBox``.
public enum BoundingBoxError: Error, Equatable, Sendable {
    /// An edge is infinite or not a number.
    case notFinite
    /// The southern edge is north of the northern edge.
    case southAboveNorth(south: Double, north: Double)
}

/// One sentence.
extension BoundingBoxError: LocalizedError {
    /// What is wrong with the edges.
    public var errorDescription: String? {
        switch self {
        case .notFinite: "An edge of the rectangle is not a number of degrees."
        case .southAboveNorth(let south, let north):
            "The southern edge of the rectangle, \(south), is north of its northern edge, \(north)."
        }
    }
}

/// A rectangle of degrees. When its west is east of its east, it crosses the 180th meridian.
public struct BoundingBox: Hashable, Sendable {
    /// Degrees east of the western edge.
    public let west: Double
    /// Degrees north of the southern edge.
    public let south: Double
    /// Degrees east of the eastern edge.
    public let east: Double
    /// Degrees north of the northern edge.
    public let north: Double

    /// A rectangle from its four edges in degrees.
    ///
    /// - Throws: ``BoundingBoxError`` for edges that make no rectangle.
    public init(west: Double, south: Double, east: Double, north: Double) throws(BoundingBoxError) {
        guard [west, south, east, north].allSatisfy(\.isFinite) else { throw .notFinite }
        guard south <= north else { throw .southAboveNorth(south: south, north: north) }
        (self.west, self.south, self.east, self.north) = (west, south, east, north)
    }

    /// Whether the rectangle crosses the 180th meridian.
    public var crossesDateLine: Bool { west > east }

    /// Whether `hypocenter` lies inside, edges included.
    public func contains(_ hypocenter: Hypocenter) -> Bool {
        guard (south...north).contains(hypocenter.latitude) else { return false }
        return crossesDateLine
            ? hypocenter.longitude >= west || hypocenter.longitude <= east
            : (west...east).contains(hypocenter.longitude)
    }
}

extension BoundingBox: Codable {
    private enum Edge: String, CodingKey {
        case west, south, east, north
    }

    /// Reads the four edges. Throws `DecodingError` for anything else.
    public init(from decoder: any Decoder) throws {
        let edges = try decoder.container(keyedBy: Edge.self)
        try self.init(
            west: edges.decode(Double.self, forKey: .west), south: edges.decode(Double.self, forKey: .south),
            east: edges.decode(Double.self, forKey: .east), north: edges.decode(Double.self, forKey: .north))
    }

    public func encode(to encoder: any Encoder) throws {
        var edges = encoder.container(keyedBy: Edge.self)
        try edges.encode(west, forKey: .west)
        try edges.encode(south, forKey: .south)
        try edges.encode(east, forKey: .east)
        try edges.encode(north, forKey: .north)
    }
}

extension Quake {
    /// The point on the surface above the hypocenter.
    public var epicenter: GeographicPoint {
        GeographicPoint(latitude: hypocenter.latitude, longitude: hypocenter.longitude)
    }
}
