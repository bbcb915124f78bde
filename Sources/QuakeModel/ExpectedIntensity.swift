import Glibc

/// How strongly a quake is expected to shake a place: an intensity on the Modified Mercalli scale.
///
/// From magnitude and distance alone, by Allen, Wald and Worden, "Intensity attenuation for active crustal regions",
/// Journal of Seismology 16 (2012) 409–433, the equation for the distance R from the hypocenter in kilometers and the
/// moment magnitude M:
///
/// ```
/// Rm = -0.209 + 2.042 · exp(M - 5)
/// I  = 2.085 + 1.428 · M - 1.402 · ln(√(R² + Rm²)), for R > 50 also + 0.078 · ln(R / 50)
/// ```
///
/// It was made for shallow quakes of magnitude 5 to 7.9 in active crust, up to 300 km away. It says less about smaller
/// quakes, deep ones and stable regions, and nothing about the ground at the place. It is never what was observed: that
/// is ``Quake/communityIntensity`` and ``Quake/instrumentalIntensity``.
public struct ExpectedIntensity: Hashable, Sendable {
    /// The intensity, which may be below 1: far less than anybody feels.
    public let value: Double
    /// The standard deviation of ``value``, by the same source: 0.8 to 1.2.
    public let standardDeviation: Double
    /// Whether the depth is not known, and 10 km were taken for it.
    public let assumesDepth: Bool

    /// The intensity of a quake of `magnitude` at a distance from its hypocenter. Where the hypocenter is nearer than a
    /// kilometer, the equation has no meaning: a kilometer is taken.
    public init(magnitude: Double, hypocentralKilometers: Double, assumesDepth: Bool = false) {
        let distance = max(1, hypocentralKilometers)
        let saturation = -0.209 + 2.042 * exp(magnitude - 5)
        let spreading = 1.402 * log((distance * distance + saturation * saturation).squareRoot())
        value = 2.085 + 1.428 * magnitude - spreading + (distance > 50 ? 0.078 * log(distance / 50) : 0)
        standardDeviation = 0.82 + 0.37 / (1 + (distance / 22.9) * (distance / 22.9))
        self.assumesDepth = assumesDepth
    }

    /// The intensity of a quake at `place`; nil without a magnitude. Without a depth, 10 km are taken. Magnitudes of
    /// all types are taken as they are.
    public init?(magnitude: Double?, epicenter: GeographicPoint, depthKilometers: Double?, at place: GeographicPoint) {
        guard let magnitude, magnitude.isFinite else { return nil }
        let along = epicenter.distanceKilometers(to: place)
        let depth = depthKilometers ?? Self.usualDepthKilometers
        let distance = (along * along + depth * depth).squareRoot()
        self.init(magnitude: magnitude, hypocentralKilometers: distance, assumesDepth: depthKilometers == nil)
        // A magnitude beyond all sense has none.
        guard value.isFinite else { return nil }
    }

    private static let usualDepthKilometers = 10.0
}

extension ExpectedIntensity {
    /// The level of the scale that is nearest to ``value``.
    public var level: ShakingLevel { ShakingLevel(nearestTo: value) }
}

extension Quake {
    /// How strongly this quake is expected to shake `place`; nil without a magnitude.
    public func expectedIntensity(at place: GeographicPoint) -> ExpectedIntensity? {
        ExpectedIntensity(
            magnitude: magnitude, epicenter: epicenter, depthKilometers: hypocenter.depthKilometers, at: place)
    }
}

/// A level of the Modified Mercalli scale, from I to X, with the words of USGS for the shaking.
public struct ShakingLevel: RawRepresentable, Hashable, Comparable, Sendable {
    /// 1 to 10.
    public let rawValue: Int

    /// The level of this number; nil if it is not 1 to 10.
    public init?(rawValue: Int) {
        guard (1...10).contains(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    /// The level nearest to an intensity: IV for 3.5 up to 4.5.
    public init(nearestTo intensity: Double) {
        rawValue = intensity >= 9.5 ? 10 : intensity >= 1.5 ? Int((intensity + 0.5).rounded(.down)) : 1
    }

    /// The level for a numeral or a word: `IV`, `light`. A word that stands for two levels means the lower one. The
    /// case does not matter; nil for other text.
    public init?(_ text: String) {
        let wanted = text.lowercased()
        let index = Self.numerals.firstIndex { $0.lowercased() == wanted } ?? Self.words.firstIndex { $0 == wanted }
        guard let index else { return nil }
        rawValue = index + 1
    }

    /// The level as a Roman numeral.
    public var numeral: String { Self.numerals[rawValue - 1] }
    /// What such shaking is called.
    public var word: String { Self.words[rawValue - 1] }
    /// The least intensity of the level, in the usual rounding; 3.5 for IV. For I it is below all others.
    public var leastIntensity: Double { rawValue == 1 ? -.infinity : Double(rawValue) - 0.5 }

    /// Whether `first` is the weaker one.
    public static func < (first: ShakingLevel, second: ShakingLevel) -> Bool { first.rawValue < second.rawValue }

    private static let numerals = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X"]
    private static let words = [
        "not felt", "weak", "weak", "light", "moderate", "strong", "very strong", "severe", "violent", "extreme",
    ]
}

extension ShakingLevel: CustomStringConvertible {
    /// Numeral and word: `IV light`.
    public var description: String { "\(numeral) \(word)" }
}
