/// Checks bytes against the JSON grammar of RFC 8259 without decoding them.
///
/// The cache stores unknown properties as one JSON object, as the feed wrote it: JSONDecoder does not look at numbers
/// that nobody reads. One bad number, or a damaged cache, must not make the whole document invalid.
struct JSONSyntax {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    /// Deeper nesting is refused.
    private static let deepestNesting = 100

    /// Whether `bytes` are one JSON object, possibly with white space around it.
    static func isObject(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var syntax = JSONSyntax(bytes: bytes)
        syntax.skipSpace()
        guard syntax.next == UInt8(ascii: "{"), syntax.value(depth: 0) else { return false }
        syntax.skipSpace()
        return syntax.position == bytes.count
    }

    /// The bytes between the braces of a JSON object; nil if it is empty or `bytes` are not an object.
    static func members(ofObject bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
        guard isObject(bytes), let open = bytes.firstIndex(of: UInt8(ascii: "{")),
            let close = bytes.lastIndex(of: UInt8(ascii: "}"))
        else { return nil }
        let members = UnsafeBufferPointer(rebasing: bytes[(open + 1)..<close])
        return members.contains { $0 > 0x20 } ? members : nil
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
    }

    private mutating func value(depth: Int) -> Bool {
        guard depth < Self.deepestNesting else { return false }
        switch next {
        case UInt8(ascii: "{"): return members(until: UInt8(ascii: "}"), depth: depth, named: true)
        case UInt8(ascii: "["): return members(until: UInt8(ascii: "]"), depth: depth, named: false)
        case UInt8(ascii: "\""): return string()
        case UInt8(ascii: "t"): return word("true")
        case UInt8(ascii: "f"): return word("false")
        case UInt8(ascii: "n"): return word("null")
        default: return number()
        }
    }

    private mutating func members(until end: UInt8, depth: Int, named: Bool) -> Bool {
        position += 1
        skipSpace()
        if skip(end) { return true }
        repeat {
            skipSpace()
            if named {
                guard string() else { return false }
                skipSpace()
                guard skip(UInt8(ascii: ":")) else { return false }
                skipSpace()
            }
            guard value(depth: depth + 1) else { return false }
            skipSpace()
        } while skip(UInt8(ascii: ","))
        return skip(end)
    }

    private mutating func string() -> Bool {
        guard skip(UInt8(ascii: "\"")) else { return false }
        while let byte = next, byte >= 0x20 {
            position += 1
            if byte == UInt8(ascii: "\"") { return true }
            guard byte == UInt8(ascii: "\\") else { continue }
            guard let escape = next else { return false }
            position += 1
            if escape == UInt8(ascii: "u") {
                for _ in 0..<4 { guard skipHexadecimalDigit() else { return false } }
            } else if !"\"\\/bfnrt".utf8.contains(escape) {
                return false
            }
        }
        return false
    }

    private mutating func skipHexadecimalDigit() -> Bool {
        guard let byte = next, byte < 0x80, Character(Unicode.Scalar(byte)).isHexDigit else { return false }
        position += 1
        return true
    }

    private mutating func word(_ expected: StaticString) -> Bool {
        for offset in 0..<expected.utf8CodeUnitCount {
            guard skip(expected.utf8Start[offset]) else { return false }
        }
        return true
    }

    private mutating func number() -> Bool {
        _ = skip(UInt8(ascii: "-"))
        if !skip(UInt8(ascii: "0")) { guard digits() else { return false } }
        if skip(UInt8(ascii: ".")) { guard digits() else { return false } }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            _ = skip(UInt8(ascii: "+")) || skip(UInt8(ascii: "-"))
            return digits()
        }
        return true
    }

    private mutating func digits() -> Bool {
        let start = position
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        return position > start
    }
}
