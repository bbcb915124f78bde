/// Checks that bytes are JSON (RFC 8259), in one pass and without decoding anything. Invalid UTF-8 is not detected.
package struct JSONGrammar {
    /// The maximum nesting depth. It must not exceed 128, the number of bits that record the open containers.
    private static let maximumContainers = 100

    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    private init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// Returns whether `bytes` are a single JSON value, apart from whitespace around it.
    ///
    /// - Parameter depth: the number of objects and arrays that contain the value.
    package static func isValue(_ bytes: UnsafeRawBufferPointer, depth: Int = 0) -> Bool {
        var grammar = JSONGrammar(bytes)
        grammar.skipSpace()
        guard grammar.takeValue(maximumContainers - depth) else { return false }
        grammar.skipSpace()
        return grammar.position == bytes.count
    }

    /// Returns whether `bytes` are a single JSON number.
    package static func isNumber(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var grammar = JSONGrammar(bytes)
        return grammar.takeNumber() && grammar.position == bytes.count
    }

    /// The byte at the current position; at the end, 0, which valid JSON never contains.
    private var current: UInt8 { position < bytes.count ? bytes[position] : 0 }

    private mutating func takeValue(_ maximumContainers: Int) -> Bool {
        // One bit for each open container: 1 for an object, 0 for an array. The lowest bit is the innermost container.
        var open: UInt128 = 0
        var depth = 0
        repeat {
            let isObject = current == UInt8(ascii: "{")
            if isObject || current == UInt8(ascii: "[") {
                position += 1
                skipSpace()
                if !take(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
                    guard depth < maximumContainers, !isObject || takeName() else { return false }
                    open = open << 1 | (isObject ? 1 : 0)
                    depth += 1
                    continue
                }
            } else {
                guard takeScalar() else { return false }
            }
            while depth > 0 {
                let isObject = open & 1 == 1
                skipSpace()
                if take(UInt8(ascii: ",")) {
                    skipSpace()
                    guard !isObject || takeName() else { return false }
                    break
                }
                guard take(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else { return false }
                open >>= 1
                depth -= 1
            }
        } while depth > 0
        return true
    }

    private mutating func takeName() -> Bool {
        guard takeString() else { return false }
        skipSpace()
        guard take(UInt8(ascii: ":")) else { return false }
        skipSpace()
        return true
    }

    private mutating func takeScalar() -> Bool {
        switch current {
        case UInt8(ascii: "\""): takeString()
        case UInt8(ascii: "t"): take("true")
        case UInt8(ascii: "f"): take("false")
        case UInt8(ascii: "n"): take("null")
        default: takeNumber()
        }
    }

    private mutating func takeNumber() -> Bool {
        _ = take(UInt8(ascii: "-"))
        guard take(UInt8(ascii: "0")) || takeDigits() else { return false }
        if take(UInt8(ascii: ".")) {
            guard takeDigits() else { return false }
        }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            _ = take(UInt8(ascii: "+")) || take(UInt8(ascii: "-"))
            guard takeDigits() else { return false }
        }
        return true
    }

    private mutating func takeDigits() -> Bool {
        let start = position
        while (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(current) { position += 1 }
        return position > start
    }

    private mutating func takeString() -> Bool {
        guard take(UInt8(ascii: "\"")) else { return false }
        while position < bytes.count {
            let byte = bytes[position]
            guard byte >= 0x20 else { return false }
            if byte == UInt8(ascii: "\\") {
                guard takeEscape() else { return false }
                continue
            }
            position += 1
            if byte == UInt8(ascii: "\"") { return true }
        }
        return false
    }

    /// Consumes an escape, or two escapes that form a surrogate pair.
    private mutating func takeEscape() -> Bool {
        guard let unit = JSONText.escapedCodeUnit(at: position, in: bytes) else {
            position += 1
            guard #""\/bfnrt"#.utf8.contains(current) else { return false }
            position += 1
            return true
        }
        position += 6
        if UTF16.isTrailSurrogate(unit) { return false }
        guard UTF16.isLeadSurrogate(unit) else { return true }
        guard let other = JSONText.escapedCodeUnit(at: position, in: bytes) else { return false }
        position += 6
        return UTF16.isTrailSurrogate(other)
    }

    private mutating func skipSpace() {
        while current == 0x20 || current == 0x0A || current == 0x0D || current == 0x09 { position += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        position += 1
        return true
    }

    private mutating func take(_ word: StaticString) -> Bool {
        let length = word.utf8CodeUnitCount
        guard position + length <= bytes.count else { return false }
        for offset in 0..<length where bytes[position + offset] != word.utf8Start[offset] { return false }
        position += length
        return true
    }
}
