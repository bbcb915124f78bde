import ArgumentParser
import QuakeModel

/// An intensity on the command line: a number, a numeral or a word of the Modified Mercalli scale.
enum IntensityArgument {
    /// The words for shaking that can be felt. "felt" means the same as "weak", which covers II and III.
    static let words = ["felt"] + (3...10).compactMap { ShakingLevel(rawValue: $0)?.word }

    /// Returns the lowest intensity for `text`: 4 for `4`, 3.5 for `IV` and `light`. Throws a usage error for others.
    static func parse(_ text: String) throws -> Double {
        let word = String(text.trimmingSpaces)
        if let level = ShakingLevel(word.lowercased() == "felt" ? "weak" : word) { return level.minimumIntensity }
        guard let number = try FiniteNumber.find(word), (1...10).contains(number) else {
            throw ValidationError(
                "An intensity is a number from 1 to 10, a Roman numeral such as IV, or a word: "
                    + "\(words.joined(separator: ", "))."
            )
        }
        return number
    }
}
