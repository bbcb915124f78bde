/// The location and the estimated intensity of a quake.
extension Quake {
    /// The point on the surface above the hypocenter.
    public var epicenter: GeographicPoint {
        GeographicPoint(latitude: hypocenter.latitude, longitude: hypocenter.longitude)
    }

    /// The regions in the place name, such as `California`: two for a place at a border, none if the place is unknown.
    public var regions: [String] {
        place.map { Region.names(ofPlace: $0, longitude: hypocenter.longitude) } ?? []
    }

    /// Returns the estimated intensity at `place`; nil if the magnitude is unknown.
    public func estimatedIntensity(at place: GeographicPoint) -> EstimatedIntensity? {
        EstimatedIntensity(
            magnitude: magnitude, epicenter: epicenter, depthKilometers: hypocenter.depthKilometers, at: place)
    }
}
