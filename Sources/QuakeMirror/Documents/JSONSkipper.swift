/// Skips JSON values without decoding them. It only checks what determines the end of a value: quotes, escapes and
/// matching brackets. The rest is left to JSONDecoder, which reads every value that is used.
struct JSONSkipper {
    let bytes: UnsafeRawBufferPointer
    private(set) var position: Int

    init(_ bytes: UnsafeRawBufferPointer, at position: Int) { (self.bytes, self.position) = (bytes, position) }

    /// The byte at the current position; nil at the end.
    var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func skipSpace() {
        while position < bytes.count, ASCIIByte.isSpace(bytes[position]) { position += 1 }
    }

    /// Skips `byte` and the whitespace after it. Returns false if there is a different byte here.
    mutating func take(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        position += 1
        skipSpace()
        return true
    }

    /// Skips a string and returns the range between its quotes.
    mutating func skipString() throws(DocumentError) -> Range<Int> {
        guard current == ASCIIByte.quote else { throw fault("a string was expected") }
        let start = position + 1
        guard let close = endOfString(from: start) else { throw .truncated(bytes: bytes.count) }
        position = close + 1
        return start..<close
    }

    mutating func skipValue() throws(DocumentError) {
        switch current {
        case ASCIIByte.quote: _ = try skipString()
        case ASCIIByte.openBrace, ASCIIByte.openBracket: try skipContainer { _, _ in }
        case nil: throw .truncated(bytes: bytes.count)
        default: try skipLiteral()
        }
    }

    /// Skips a number, `true`, `false` or `null`.
    private mutating func skipLiteral() throws(DocumentError) {
        let start = position
        while position < bytes.count, ASCIIByte.isLiteral(bytes[position]) { position += 1 }
        guard position > start else { throw fault("a value was expected") }
    }

    /// Skips an object or array. Calls `member` with the range of every string directly inside this container, whether
    /// a name or a value; `member` may skip what follows.
    mutating func skipContainer(member: (Range<Int>, inout JSONSkipper) -> Void) throws(DocumentError) {
        // A local copy stays in a register; a member of self would be read from memory again for every byte.
        let bytes = bytes
        var open = OpenBrackets()
        var index = position
        while index < bytes.count {
            let byte = bytes[index]
            // A bracket and a brace facing the same way differ in one bit, so most bytes need only three comparisons.
            let folded = byte | 0x20
            guard byte == ASCIIByte.quote || folded == ASCIIByte.openBrace || folded == ASCIIByte.closeBrace else {
                index += 1
                continue
            }
            if byte == ASCIIByte.quote {
                guard let close = endOfString(from: index + 1) else { throw .truncated(bytes: bytes.count) }
                if open.count == 1 {
                    position = close + 1
                    member(index + 1..<close, &self)
                    index = position
                } else {
                    index = close + 1
                }
                continue
            }
            index += 1
            if folded == ASCIIByte.openBrace {
                open.push(isBrace: byte == ASCIIByte.openBrace)
                if open.count > 1 { index = stepThroughBlocks(from: index, &open) }
            } else {
                guard open.pop() == (byte == ASCIIByte.closeBrace) else {
                    throw .notJSON(offset: index - 1, reason: "brackets do not match")
                }
                if open.count == 0 {
                    position = index
                    return
                }
            }
        }
        throw .truncated(bytes: bytes.count)
    }

    /// Returns the position of the quote that ends the string whose contents begin at `start`: the first quote after an
    /// even number of backslashes. Nil if there is none.
    @inline(__always)
    private func endOfString(from start: Int) -> Int? {
        let bytes = bytes
        var index = start
        while index < bytes.count {
            guard bytes[index] == ASCIIByte.quote else {
                index += 1
                continue
            }
            var backslashes = 0
            while index - backslashes > start, bytes[index - backslashes - 1] == ASCIIByte.backslash {
                backslashes += 1
            }
            if backslashes % 2 == 0 { return index }
            index += 1
        }
        return nil
    }

    func fault(_ reason: String) -> DocumentError {
        position < bytes.count ? .notJSON(offset: position, reason: reason) : .truncated(bytes: bytes.count)
    }
}
