/// Numbers as people write them: without zeros that say nothing.
package enum PlainNumber {
    /// `value` with all its decimals, and without a superfluous `.0`.
    package static func text(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? "\(Int64(value))" : "\(value)"
    }

    /// `value` with at most `decimals` decimals.
    package static func text(_ value: Double, decimals: Int) -> String {
        let scale = (0..<decimals).reduce(1.0) { product, _ in product * 10 }
        let rounded = (value * scale).rounded() / scale
        return text(abs(rounded) < 1e15 ? rounded : value)
    }

    /// Two numbers, with as few decimals as tell them apart.
    package static func pair(_ first: Double, _ second: Double) -> [String] {
        let pairs = [1, 2, 3].map { decimals in [first, second].map { text($0, decimals: decimals) } }
        return pairs.first { $0[0] != $0[1] } ?? ["\(first)", "\(second)"]
    }
}
