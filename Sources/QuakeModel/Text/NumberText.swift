/// Writes numbers as decimal text into the caller's memory.
package enum NumberText {
    /// The maximum number of bytes written by each function.
    package static let capacity = 48

    package static func write(_ value: Int64, to target: UnsafeMutablePointer<UInt8>) -> Int {
        guard value < 0 else { return write(digitsOf: value.magnitude, decimals: 0, to: target) }
        target.pointee = UInt8(ascii: "-")
        return 1 + write(digitsOf: value.magnitude, decimals: 0, to: target + 1)
    }

    /// Writes the shortest text that parses as `value`, without a trailing `.0`. Negative zero becomes `0`.
    ///
    /// At most one decimal number with up to 15 significant digits parses as `value`, so if there is such a number, it
    /// is the shortest. Four decimals are enough for nearly all values in the feed, and eight for the remaining
    /// coordinates. All other numbers are formatted by the standard library.
    package static func write(_ value: Double, to target: UnsafeMutablePointer<UInt8>) -> Int {
        if let count = write(exactly: value, decimals: 4, power: 1e4, to: target) { return count }
        if let count = write(exactly: value, decimals: 8, power: 1e8, to: target) { return count }
        var text = value.description
        return text.withUTF8 { bytes in
            let isIntegral = bytes.count > 2 && bytes[bytes.count - 1] == 0x30 && bytes[bytes.count - 2] == 0x2E
            let count = min(isIntegral ? bytes.count - 2 : bytes.count, capacity)
            if let start = bytes.baseAddress { target.update(from: start, count: count) }
            return count
        }
    }

    @inline(__always) private static func write(
        exactly value: Double, decimals: Int, power: Double, to target: UnsafeMutablePointer<UInt8>
    ) -> Int? {
        let magnitude = value.magnitude
        guard magnitude < 1e15 / power else { return nil }
        let scaled = Int64(magnitude * power + 0.5)
        guard Double(scaled) / power == magnitude else { return nil }
        return write(scaled: UInt64(scaled), isNegative: value < 0, decimals: decimals, to: target)
    }

    @inline(__always) private static func write(
        scaled: UInt64, isNegative: Bool, decimals: Int, to target: UnsafeMutablePointer<UInt8>
    ) -> Int {
        var digits = scaled
        var decimals = decimals
        while decimals > 0 {
            let (tenth, last) = digits.quotientAndRemainder(dividingBy: 10)
            if last != 0 { break }
            digits = tenth
            decimals -= 1
        }
        guard isNegative, digits > 0 else { return write(digitsOf: digits, decimals: decimals, to: target) }
        target.pointee = UInt8(ascii: "-")
        return 1 + write(digitsOf: digits, decimals: decimals, to: target + 1)
    }

    /// Writes `digits` with a point before the last `decimals` digits and at least one digit before the point.
    @inline(__always) private static func write(
        digitsOf digits: UInt64, decimals: Int, to target: UnsafeMutablePointer<UInt8>
    ) -> Int {
        var digitCount = 1
        var bound: UInt64 = 10
        while digits >= bound {
            digitCount += 1
            if digitCount == 20 { break }
            bound &*= 10
        }
        let count = decimals > 0 ? max(digitCount, decimals + 1) + 1 : digitCount
        let point = decimals > 0 ? count - 1 - decimals : count
        var rest = digits
        var position = count
        while position > 0 {
            position -= 1
            if position == point {
                target[position] = UInt8(ascii: ".")
            } else {
                let (tenth, last) = rest.quotientAndRemainder(dividingBy: 10)
                target[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: last)
                rest = tenth
            }
        }
        return count
    }
}
