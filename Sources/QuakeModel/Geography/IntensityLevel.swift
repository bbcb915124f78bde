/// A level of the Modified Mercalli scale, from I to X, with the USGS term for its shaking.
package struct IntensityLevel: RawRepresentable, Hashable, Comparable, Sendable {
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
    package var minimumIntensity: Double { rawValue == 1 ? -.infinity : Double(rawValue) - 0.5 }

    package static func < (first: IntensityLevel, second: IntensityLevel) -> Bool { first.rawValue < second.rawValue }

    private static let numerals = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X"]
    private static let words = [
        "not felt", "weak", "weak", "light", "moderate", "strong", "very strong", "severe", "violent", "extreme",
    ]
}

extension IntensityLevel: CustomStringConvertible {
    /// The numeral and the term: `IV (light)`.
    package var description: String { "\(numeral) (\(word))" }
}
