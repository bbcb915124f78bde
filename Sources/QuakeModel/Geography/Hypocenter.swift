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
