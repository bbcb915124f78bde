/// Formats numbers for people, without superfluous zeros.
package enum PlainNumber {
    /// Returns `value` with all its decimals and without a trailing `.0`.
    package static func text(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? "\(Int64(value))" : "\(value)"
    }

    /// Returns `value` with at most `decimals` decimals.
    package static func text(_ value: Double, decimals: Int) -> String {
        let scale = (0..<decimals).reduce(1.0) { product, _ in product * 10 }
        let rounded = (value * scale).rounded() / scale
        return text(abs(rounded) < 1e15 ? rounded : value)
    }

    /// Returns `value` with two decimals: `1.00`.
    package static func hundredths(_ value: Double) -> String {
        let hundredths = (abs(value) * 100).rounded()
        guard let whole = Int64(exactly: hundredths) else { return text(value) }
        let rest = whole % 100
        return "\(value < 0 && whole > 0 ? "-" : "")\(whole / 100).\(rest < 10 ? "0" : "")\(rest)"
    }

    /// Returns two numbers with the fewest decimals that distinguish them.
    package static func pair(_ first: Double, _ second: Double) -> [String] {
        let pairs = [1, 2, 3].map { decimals in [first, second].map { text($0, decimals: decimals) } }
        return pairs.first { $0[0] != $0[1] } ?? ["\(first)", "\(second)"]
    }
}

extension BinaryInteger {
    /// The number with thousands separators: `12,345`.
    package var grouped: String {
        let digits = Array("\(magnitude)")
        var text = self < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return text
    }

    /// Returns the number and its noun: `1 quake`, `12,345 quakes`.
    package func counted(_ noun: String) -> String { "\(grouped) \(noun)\(self == 1 ? "" : "s")" }
}
