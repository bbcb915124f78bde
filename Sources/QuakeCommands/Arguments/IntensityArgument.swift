import ArgumentParser
import QuakeModel

/// An intensity on the command line: a number, a numeral or a word of the Modified Mercalli scale.
enum IntensityArgument {
    /// The words for levels of shaking that people feel. "felt" means the same as "weak", the level of II and III.
    static let words = ["felt"] + (3...10).compactMap { IntensityLevel(rawValue: $0)?.word }

    /// Returns the minimum intensity that `text` stands for: 4 for `4`; 3.5, the lowest value that rounds to IV, for
    /// `IV` and `light`. Throws a usage error for other text.
    static func parse(_ text: String) throws -> Double {
        let word = String(text.trimmingSpaces)
        if let level = IntensityLevel(word.lowercased() == "felt" ? "weak" : word) { return level.minimumIntensity }
        guard let number = try FiniteNumber.find(word), (1...10).contains(number) else {
            throw ValidationError(
                "An intensity is a number from 1 to 10, a Roman numeral such as IV, or a word: "
                    + "\(words.joined(separator: ", "))."
            )
        }
        return number
    }
}
