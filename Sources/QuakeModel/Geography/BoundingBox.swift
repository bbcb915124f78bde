public import FoundationEssentials

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
