import ArgumentParser

enum FiniteNumber {
    /// Parses a decimal number; rejects `nan`, `inf`, hexadecimal numbers and numbers that are too large.
    static func parse(_ text: some StringProtocol) throws -> Double {
        if let number = try find(text) { return number }
        throw ValidationError("Expected a number.")
    }

    /// Returns the decimal number `text`, or nil for other text. Throws a usage error for a decimal comma.
    static func find(_ text: some StringProtocol) throws -> Double? {
        let isDecimal = text.utf8.allSatisfy { byte in (0x30...0x39).contains(byte) || "+-.eE".utf8.contains(byte) }
        if isDecimal { return Double(text).flatMap { $0.isFinite ? $0 : nil } }
        guard let parts = Substring(text).wholeMatch(of: /([+-]?[0-9]{1,15}),([0-9]{1,15})/)?.output else { return nil }
        let thousands = parts.2.count == 3 ? ", or \(parts.1)\(parts.2)" : ""
        throw ValidationError("Write \(parts.1).\(parts.2) with a decimal point\(thousands).")
    }

    /// Parses `count` comma-separated numbers.
    static func parseList(_ text: String, count: Int, form: String, example: String) throws -> [Double] {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = try parts.compactMap { try find($0.trimmingSpaces) }
        guard parts.count == count, numbers.count == count else {
            throw ValidationError("Write \(form) in degrees, such as \(example).")
        }
        return numbers
    }
}
