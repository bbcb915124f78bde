import Glibc

/// The estimated intensity of shaking at a place, on the Modified Mercalli scale.
///
/// The estimate uses only magnitude and distance, following Allen, Wald and Worden, "Intensity attenuation for active
/// crustal regions", Journal of Seismology 16 (2012) 409–433. R is the distance from the hypocenter in kilometers, and
/// M is the moment magnitude:
///
/// ```
/// Rm = -0.209 + 2.042 · exp(M - 5)
/// I  = 2.085 + 1.428 · M - 1.402 · ln(√(R² + Rm²)), plus 0.078 · ln(R / 50) for R > 50
/// ```
///
/// The equation was derived for shallow quakes of magnitude 5 to 7.9 in active crust, up to 300 km away. It is less
/// reliable for smaller quakes, deep quakes and stable regions, and it ignores local ground conditions. For intensities
/// derived from observations, see ``Quake/communityIntensity`` and ``Quake/instrumentalIntensity``.
public struct EstimatedIntensity: Hashable, Sendable {
    /// The estimated intensity. Nobody can feel shaking with an intensity below 1.
    public let value: Double
    /// The standard deviation of ``value``, from 0.8 to 1.2.
    public let standardDeviation: Double
    /// Whether the depth is unknown and 10 km was assumed.
    package let assumesDepth: Bool

    /// Estimates the intensity at a distance from the hypocenter. Distances below 1 km, for which the equation is not
    /// valid, are treated as 1 km.
    package init(magnitude: Double, hypocentralKilometers: Double, assumesDepth: Bool = false) {
        let distance = max(1, hypocentralKilometers)
        let saturation = -0.209 + 2.042 * exp(magnitude - 5)
        let spreading = 1.402 * log((distance * distance + saturation * saturation).squareRoot())
        value = 2.085 + 1.428 * magnitude - spreading + (distance > 50 ? 0.078 * log(distance / 50) : 0)
        standardDeviation = 0.82 + 0.37 / (1 + (distance / 22.9) * (distance / 22.9))
        self.assumesDepth = assumesDepth
    }

    /// Estimates the intensity of a quake at `place`; nil if the magnitude is unknown, or if the result would not be
    /// finite. An unknown depth is assumed to be 10 km. All magnitude types are treated alike.
    package init?(magnitude: Double?, epicenter: GeographicPoint, depthKilometers: Double?, at place: GeographicPoint) {
        guard let magnitude, magnitude.isFinite else { return nil }
        let along = epicenter.distanceKilometers(to: place)
        let depth = depthKilometers ?? Self.usualDepthKilometers
        let distance = (along * along + depth * depth).squareRoot()
        guard distance.isFinite else { return nil }
        self.init(magnitude: magnitude, hypocentralKilometers: distance, assumesDepth: depthKilometers == nil)
        // An extreme magnitude can make the result infinite.
        guard value.isFinite else { return nil }
    }

    private static let usualDepthKilometers = 10.0
}

extension EstimatedIntensity {
    /// The level of the scale nearest to ``value``.
    package var level: IntensityLevel { IntensityLevel(nearestTo: value) }
}
