import ArgumentParser

/// A minimum or maximum magnitude or depth on the command line, such as `--min-mag 4` or `--max-mag M5`.
enum LimitArgument {
    /// Returns the magnitude for `4.5`, `M4.5` or `M 4.5`.
    static func magnitude(_ text: String) throws -> Double {
        try explainingRange(text, "mag") {
            let words = text.trimmingSpaces
            let hasLetter = words.first.map("Mm".contains) ?? false
            let number = hasLetter ? words.dropFirst().trimmingSpaces : words
            if let magnitude = try FiniteNumber.find(number) { return magnitude }
            throw ValidationError("A magnitude is a number, such as 4.5 or M4.5.")
        }
    }

    /// Returns the depth in kilometers for `10`, `10km`, `5mi` or `700m`.
    static func depth(_ text: String) throws -> Double {
        try explainingRange(text, "depth") { try LengthArgument.parse(text) }
    }

    /// Returns the value that `parse` finds. If there is none and `text` is a range, throws the error for a range.
    private static func explainingRange(
        _ text: String, _ name: String, _ parse: () throws -> Double
    ) throws -> Double {
        do { return try parse() } catch {
            try refuseRange(text, name)
            throw error
        }
    }

    /// Throws a usage error if `text` is a range, such as `4-5`, `4..5` or `0 to 30km`. For `4,5`, which may also be a
    /// number with a decimal comma, the error explains both.
    private static func refuseRange(_ text: String, _ name: String) throws {
        let form =
            #/
            (?i) (?:M\x20?)? (-?[0-9]{1,9}(?:\.[0-9]{1,9})?) \x20? (km|mi|m)?
            \x20? (-|–|\.{2,3}|,|:|to) \x20?
            (?:M\x20?)? (-?[0-9]{1,9}(?:\.[0-9]{1,9})?) \x20? (km|mi|m)?
            /#
        guard let match = text.trimmingSpaces.wholeMatch(of: form)?.output, let first = Double(match.1),
            let second = Double(match.4)
        else { return }
        let isDecimal = match.3 == "," && match.4.allSatisfy(\.isNumber) && match.1.allSatisfy { $0 != "." }
        guard !isDecimal || first < second else { return }
        let unit = match.5 ?? match.2 ?? ""
        let limits = ["\(match.1)\(match.2 ?? unit)", "\(match.4)\(unit)"]
        let ordered = first <= second ? limits : limits.reversed()
        let range = "--min-\(name) \(ordered[0]) and --max-\(name) \(ordered[1])"
        throw ValidationError(
            isDecimal
                ? "Write \(match.1).\(match.4) with a decimal point, or a range as \(range)."
                : "A range needs two options: \(range).")
    }
}
