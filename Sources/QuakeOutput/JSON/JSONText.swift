package import QuakeModel

extension ByteWriter {
    /// Appends a field as a JSON value.
    @inline(__always)
    package func append(json value: FieldValue, _ encoding: FieldEncoding = .plain) {
        switch value {
        case .integer(let milliseconds) where encoding == .moment:
            append(byte: UInt8(ascii: "\""))
            append(moment: Timestamp(milliseconds: milliseconds))
            append(byte: UInt8(ascii: "\""))
        case .integer(let number): append(integer: number)
        case .real(let number) where number.isFinite: append(real: number)
        case .text(let bytes) where encoding == .embeddedJSON && JSONSyntax.isObject(bytes): append(embeddedJSON: bytes)
        case .text(let bytes): append(jsonString: bytes)
        case .real, .null: append(literal: "null")
        }
    }

    /// Appends `text` as a JSON string with its quotes.
    package func append(jsonString text: String) {
        var text = text
        text.withUTF8 { append(jsonString: $0) }
    }

    /// Appends `bytes` as a JSON string with its quotes.
    ///
    /// Also escapes what ``TerminalText`` calls unsafe. The value stays the same, and the document is safe to show in a
    /// terminal.
    @inline(__always)
    package func append(jsonString bytes: UnsafeBufferPointer<UInt8>) {
        append(byte: UInt8(ascii: "\""))
        if bytes.isEveryByte({ $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
            append(bytes)
        } else {
            appendEscaped(bytes, isWithinString: true)
        }
        append(byte: UInt8(ascii: "\""))
    }

    /// Appends bytes that are a JSON value, on one line. The caller has checked them.
    @inline(never)
    package func append(embeddedJSON bytes: UnsafeBufferPointer<UInt8>) {
        appendEscaped(bytes, isWithinString: false)
    }

    /// In embedded JSON, unsafe characters occur only in strings, so they can be escaped without parsing. Control
    /// characters are white space there.
    @inline(never)
    private func appendEscaped(_ bytes: UnsafeBufferPointer<UInt8>, isWithinString: Bool) {
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            switch scalar {
            case "\"" where isWithinString: append(literal: "\\\"")
            case "\\" where isWithinString: append(literal: "\\\\")
            case "\n" where isWithinString: append(literal: "\\n")
            case "\r" where isWithinString: append(literal: "\\r")
            case "\t" where isWithinString: append(literal: "\\t")
            case "\0"..." " where !isWithinString: append(byte: UInt8(ascii: " "))
            case _ where TerminalText.isUnsafe(scalar): UTF16.encode(scalar)?.forEach { append(jsonEscape: $0) }
            default: UTF8.encode(scalar)?.forEach { append(byte: $0) }
            }
        }
    }

    private func append(jsonEscape unit: UInt16) {
        append(literal: "\\u")
        for shift in stride(from: 12, through: 0, by: -4) {
            let digit = UInt8(unit >> UInt16(shift) & 0xF)
            append(byte: digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }
}

/// Checks bytes against the JSON grammar of RFC 8259 without decoding them.
///
/// The cache stores unknown properties as one JSON object. A damaged cache may contain something else, and one such row
/// must not make the whole document invalid.
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

    private init(bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

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
