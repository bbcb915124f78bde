import Glibc

/// The intensity of shaking expected at a place, on the Modified Mercalli scale.
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
public struct ExpectedIntensity: Hashable, Sendable {
    /// The expected intensity. Nobody can feel shaking with an intensity below 1.
    public let value: Double
    /// The standard deviation of ``value``, from 0.8 to 1.2.
    public let standardDeviation: Double
    /// Whether the depth is unknown and 10 km was assumed.
    package let assumesDepth: Bool

    /// Estimates the intensity at a distance from the hypocenter. Distances below 1 km, for which the equation has no
    /// meaning, are treated as 1 km.
    package init(magnitude: Double, hypocentralKilometers: Double, assumesDepth: Bool = false) {
        let distance = max(1, hypocentralKilometers)
        let saturation = -0.209 + 2.042 * exp(magnitude - 5)
        let spreading = 1.402 * log((distance * distance + saturation * saturation).squareRoot())
        value = 2.085 + 1.428 * magnitude - spreading + (distance > 50 ? 0.078 * log(distance / 50) : 0)
        standardDeviation = 0.82 + 0.37 / (1 + (distance / 22.9) * (distance / 22.9))
        self.assumesDepth = assumesDepth
    }

    /// Estimates the intensity of a quake at `place`; nil if the magnitude is unknown. An unknown depth is assumed to
    /// be 10 km. All magnitude types are treated alike.
    package init?(magnitude: Double?, epicenter: GeographicPoint, depthKilometers: Double?, at place: GeographicPoint) {
        guard let magnitude, magnitude.isFinite else { return nil }
        let along = epicenter.distanceKilometers(to: place)
        let depth = depthKilometers ?? Self.usualDepthKilometers
        let distance = (along * along + depth * depth).squareRoot()
        self.init(magnitude: magnitude, hypocentralKilometers: distance, assumesDepth: depthKilometers == nil)
        // An extreme magnitude can make the result infinite.
        guard value.isFinite else { return nil }
    }

    private static let usualDepthKilometers = 10.0
}

extension ExpectedIntensity {
    /// The level of the scale nearest to ``value``.
    package var level: ShakingLevel { ShakingLevel(nearestTo: value) }
}

extension Quake {
    /// Returns the shaking intensity expected at `place`; nil if the magnitude is unknown.
    public func expectedIntensity(at place: GeographicPoint) -> ExpectedIntensity? {
        ExpectedIntensity(
            magnitude: magnitude, epicenter: epicenter, depthKilometers: hypocenter.depthKilometers, at: place)
    }
}

/// A level of the Modified Mercalli scale, from I to X, with the USGS term for its shaking.
package struct ShakingLevel: RawRepresentable, Hashable, Comparable, Sendable {
    /// The level, from 1 to 10.
    package let rawValue: Int

    /// Creates the level with this number; nil unless it is from 1 to 10.
    package init?(rawValue: Int) {
        guard (1...10).contains(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    /// Creates the level nearest to an intensity: IV from 3.5 up to, but not including, 4.5.
    package init(nearestTo intensity: Double) {
        rawValue = intensity >= 9.5 ? 10 : intensity >= 1.5 ? Int((intensity + 0.5).rounded(.down)) : 1
    }

    /// Creates the level for a numeral or term, such as `IV` or `light`, ignoring case; nil for other text. For a term
    /// shared by two levels, creates the lower one.
    package init?(_ text: String) {
        let wanted = text.lowercased()
        let index = Self.numerals.firstIndex { $0.lowercased() == wanted } ?? Self.words.firstIndex { $0 == wanted }
        guard let index else { return nil }
        rawValue = index + 1
    }

    /// The level as a Roman numeral.
    package var numeral: String { Self.numerals[rawValue - 1] }
    /// The USGS term for shaking of this level.
    package var word: String { Self.words[rawValue - 1] }
    /// The lowest intensity that rounds to the level: 3.5 for IV, negative infinity for I.
    package var leastIntensity: Double { rawValue == 1 ? -.infinity : Double(rawValue) - 0.5 }

    package static func < (first: ShakingLevel, second: ShakingLevel) -> Bool { first.rawValue < second.rawValue }

    private static let numerals = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X"]
    private static let words = [
        "not felt", "weak", "weak", "light", "moderate", "strong", "very strong", "severe", "violent", "extreme",
    ]
}

extension ShakingLevel: CustomStringConvertible {
    /// The numeral and the term: `IV light`.
    package var description: String { "\(numeral) \(word)" }
}
