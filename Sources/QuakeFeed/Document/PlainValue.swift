/// The bytes of a JSON value, which are read only where JSONDecoder could read nothing else in them: a text without
/// escapes, a number without an exponent, `true`, `false`, `null`.
struct PlainValue {
    private let bytes: UnsafeRawBufferPointer

    /// The value is written in another way, or of another type.
    struct NotPlain: Error {}

    /// The value at `range` of `bytes`.
    init(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) {
        self.bytes = UnsafeRawBufferPointer(rebasing: bytes[range])
    }

    /// The value itself, nil if it is null.
    var orNil: PlainValue? { `is`("null") ? nil : self }

    /// Whether JSONDecoder would accept the value, of whatever type. False for lists and objects.
    var isValid: Bool {
        (try? text()) != nil || (try? number()) != nil || `is`("null") || `is`("true") || `is`("false")
    }

    /// The text between the quotes.
    func text() throws(NotPlain) -> String {
        guard bytes.count >= 2, bytes.first == JSONByte.quote else { throw NotPlain() }
        let content = UnsafeRawBufferPointer(rebasing: bytes[1..<bytes.count - 1])
        // Without a branch for each byte, so that many are compared at once.
        var seen: UInt8 = 0
        var special: UInt8 = 0
        for byte in content {
            seen |= byte
            special |= (byte < 0x20 ? 1 : 0) | (byte == JSONByte.backslash ? 1 : 0)
        }
        guard special == 0 else { throw NotPlain() }
        if seen < 0x80 { return String(decoding: content, as: UTF8.self) }
        guard let text = String(validating: content, as: UTF8.self) else { throw NotPlain() }
        return text
    }

    /// The number, rounded as JSONDecoder rounds it.
    func number() throws(NotPlain) -> Double {
        let isNegative = bytes.first == UInt8(ascii: "-")
        let whole = digits(from: isNegative ? 1 : 0)
        var (mantissa, scale, index, count) = (whole.value, 1.0, whole.end, whole.count)
        guard whole.isWhole else { throw NotPlain() }
        if index < bytes.count {
            let fraction = digits(from: index + 1)
            guard bytes[index] == UInt8(ascii: "."), fraction.count > 0 else { throw NotPlain() }
            for _ in 0..<min(fraction.count, 15) { scale *= 10 }
            count += fraction.count
            mantissa = mantissa &* UInt64(scale) &+ fraction.value
            index = fraction.end
        }
        guard index == bytes.count, count < 40 else { throw NotPlain() }
        // Both numbers are exact, so that their quotient is rounded once.
        if count <= 15 { return isNegative ? -(Double(mantissa) / scale) : Double(mantissa) / scale }
        guard let number = Double(String(decoding: bytes, as: UTF8.self)) else { throw NotPlain() }
        return number
    }

    /// The whole number.
    func integer() throws(NotPlain) -> Int64 {
        let isNegative = bytes.first == UInt8(ascii: "-")
        let whole = digits(from: isNegative ? 1 : 0)
        guard whole.isWhole, whole.end == bytes.count, whole.count <= 18 else { throw NotPlain() }
        return isNegative ? -Int64(whole.value) : Int64(whole.value)
    }

    private func `is`(_ word: StaticString) -> Bool {
        word.withUTF8Buffer { bytes.elementsEqual($0) }
    }

    /// A run of digits.
    private struct Digits {
        /// Their value; of more than 18 digits only the low bits.
        var value: UInt64 = 0
        let start: Int
        var end: Int
        /// Whether the first of several is a zero.
        var hasLeadingZero = false

        var count: Int { end - start }
        /// Whether a number may begin with them.
        var isWhole: Bool { count > 0 && !hasLeadingZero }
    }

    private func digits(from start: Int) -> Digits {
        var digits = Digits(start: start, end: start)
        while digits.end < bytes.count, case let digit = bytes[digits.end] &- UInt8(ascii: "0"), digit < 10 {
            digits.value = digits.value &* 10 &+ UInt64(digit)
            digits.end += 1
        }
        digits.hasLeadingZero = digits.count > 1 && bytes[start] == UInt8(ascii: "0")
        return digits
    }
}
