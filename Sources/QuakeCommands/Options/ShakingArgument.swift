import ArgumentParser
import QuakeModel

/// An intensity on the command line: a number, a numeral or a word of the Modified Mercalli scale.
enum ShakingArgument {
    /// The words for shaking that is felt. III and II are both weak.
    static let words = (3...10).compactMap { ShakingLevel(rawValue: $0)?.word }

    /// The least intensity that `text` means: 4 for `4`, 3.5 for `IV` and `light`, which are what rounds to 4. Throws a
    /// usage error for other text.
    static func parse(_ text: String) throws -> Double {
        let word = String(text.trimmingSpaces)
        if let level = ShakingLevel(word) { return level.leastIntensity }
        guard let number = try? FiniteNumber.parse(word), (1...10).contains(number) else {
            throw ValidationError(
                "An intensity is a number from 1 to 10, a numeral such as IV, or a word: \(words.joined(separator: ", "))."
            )
        }
        return number
    }
}
