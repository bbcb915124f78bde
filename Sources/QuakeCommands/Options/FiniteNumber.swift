import ArgumentParser

/// Numbers as they are typed.
enum FiniteNumber {
    /// Reads a decimal number; `nan`, `inf`, hexadecimal and what is too large for a number are refused.
    static func parse(_ text: some StringProtocol) throws -> Double {
        let isDecimal = text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || "+-.eE".utf8.contains(byte)
        }
        guard isDecimal, let number = Double(text), number.isFinite else {
            throw ValidationError("This is not a number.")
        }
        return number
    }

    /// Reads `count` numbers with commas between them.
    static func parseList(_ text: String, count: Int, form: String) throws -> [Double] {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { try? parse($0.trimmingSpaces) }
        guard parts.count == count, numbers.count == count else {
            throw ValidationError("The form is \(form), in degrees.")
        }
        return numbers
    }
}

extension StringProtocol {
    /// This text without the spaces around it.
    var trimmingSpaces: SubSequence {
        let start = firstIndex { $0 != " " } ?? endIndex
        let end = self[start...].lastIndex { $0 != " " }.map(index(after:)) ?? start
        return self[start..<end]
    }
}
