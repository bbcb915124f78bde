import ArgumentParser

enum FiniteNumber {
    /// Parses a decimal number; rejects `nan`, `inf`, hexadecimal numbers and numbers that are too large.
    static func parse(_ text: some StringProtocol) throws -> Double {
        let isDecimal = text.utf8.allSatisfy { byte in (0x30...0x39).contains(byte) || "+-.eE".utf8.contains(byte) }
        guard isDecimal, let number = Double(text), number.isFinite else { throw ValidationError("Expected a number.") }
        return number
    }

    /// Parses `count` comma-separated numbers.
    static func parseList(_ text: String, count: Int, form: String, example: String) throws -> [Double] {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { try? parse($0.trimmingSpaces) }
        guard parts.count == count, numbers.count == count else {
            throw ValidationError("Write \(form) in degrees, such as \(example).")
        }
        return numbers
    }
}
