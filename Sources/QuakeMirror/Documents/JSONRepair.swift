import FoundationEssentials

/// Replaces the parts of a feature that would make JSONDecoder reject the whole text: U+FFFD replaces invalid UTF-8 and
/// unpaired surrogates, and 0 replaces numbers too small for a Double.
struct JSONRepair {
    /// The text with the replacements, in UTF-8.
    private(set) var text: [UInt8] = []
    /// The maximum nesting depth of the text.
    private(set) var depth = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        var original = String(decoding: bytes, as: UTF8.self)
        text.reserveCapacity(bytes.count)
        original.withUTF8 { copy(UnsafeRawBufferPointer($0)) }
    }

    private mutating func copy(_ bytes: UnsafeRawBufferPointer) {
        var open = 0
        var position = 0
        while position < bytes.count {
            let byte = bytes[position]
            if byte == ASCIIByte.quote {
                position = copyString(in: bytes, at: position)
            } else if ASCIIByte.isLiteral(byte) {
                position = copyWord(in: bytes, at: position)
            } else {
                // A bracket and a brace that face the same way differ in one bit.
                if byte | 0x20 == ASCIIByte.openBrace { open += 1 }
                if byte | 0x20 == ASCIIByte.closeBrace { open -= 1 }
                depth = max(depth, open)
                text.append(byte)
                position += 1
            }
        }
    }

    /// Copies the string at `start` and returns its end.
    private mutating func copyString(in bytes: UnsafeRawBufferPointer, at start: Int) -> Int {
        var end = start + 1
        var copied = start
        while end < bytes.count, bytes[end] != ASCIIByte.quote {
            guard bytes[end] == ASCIIByte.backslash else {
                end += 1
                continue
            }
            guard let unit = JSONText.escapedCodeUnit(at: end, in: bytes) else {
                end += 2
                continue
            }
            end += 6
            if UTF16.isLeadSurrogate(unit), let other = JSONText.escapedCodeUnit(at: end, in: bytes),
                UTF16.isTrailSurrogate(other)
            {
                end += 6
            } else if UTF16.isSurrogate(unit) {
                text.append(contentsOf: bytes[copied..<end - 6])
                text.append(contentsOf: #"\uFFFD"#.utf8)
                copied = end
            }
        }
        end = min(end + 1, bytes.count)
        text.append(contentsOf: bytes[copied..<end])
        return end
    }

    /// Copies the number or literal at `start` and returns its end.
    private mutating func copyWord(in bytes: UnsafeRawBufferPointer, at start: Int) -> Int {
        let end = bytes[start...].firstIndex { !ASCIIByte.isLiteral($0) } ?? bytes.count
        let word = bytes[start..<end]
        if JSONRepair.isTooSmall(word) { text.append(UInt8(ascii: "0")) } else { text.append(contentsOf: word) }
        return end
    }

    /// Returns whether `word` is a number other than 0 that becomes 0 as a Double.
    private static func isTooSmall(_ word: Slice<UnsafeRawBufferPointer>) -> Bool {
        // Shorter numbers without an exponent cannot be so small.
        guard word.count > 300 || word.contains(UInt8(ascii: "e")) || word.contains(UInt8(ascii: "E")),
            JSONGrammar.isNumber(UnsafeRawBufferPointer(rebasing: word)),
            Double(String(decoding: word, as: UTF8.self)) == 0
        else { return false }
        let digits = word.prefix { $0 != UInt8(ascii: "e") && $0 != UInt8(ascii: "E") }
        return digits.contains { (UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) }
    }
}
