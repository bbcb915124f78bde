import ArgumentParser

/// A length on the command line: `20`, `20km` or `12mi`.
enum LengthArgument {
    /// Returns the length in kilometers. Throws a usage error if `text` is not a length or is negative.
    static func parse(_ text: String) throws -> Double {
        let unit = LengthUnit.allCases.first { text.lowercased().hasSuffix($0.rawValue) }
        let number = text.dropLast(unit?.rawValue.count ?? 0).trimmingSpaces
        guard let amount = try? FiniteNumber.parse(number) else {
            throw ValidationError("A length is a number with km or mi, such as 20km or 12mi; a bare number is in km.")
        }
        guard amount >= 0 else { throw ValidationError("A length cannot be negative.") }
        return amount * (unit ?? .km).kilometers
    }
}
