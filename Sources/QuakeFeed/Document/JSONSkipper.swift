/// Steps over JSON values without decoding them.
///
/// It checks what decides where a value ends: quotes, escapes, matching brackets. Whether a number or a literal is well
/// formed is left to JSONDecoder, which reads every value that is used.
struct JSONSkipper {
    /// Of a document that is still arriving, also what is not here yet.
    let bytes: UnsafeRawBufferPointer
    /// Where what is known to be here ends.
    private(set) var end: Int
    private(set) var position: Int
    let arrival: Arrival?

    /// Values nested deeper than this are refused, as JSONDecoder refuses them.
    static let maximumDepth = 512

    /// A skipper of `bytes`, of which those are there that `arrival` says are, without it all.
    init(_ bytes: UnsafeRawBufferPointer, at position: Int, arrival: Arrival? = nil) {
        self.bytes = bytes
        self.position = position
        self.arrival = arrival
        end = arrival == nil ? bytes.count : 0
    }

    /// Whether there is a byte at `index`; waits for it where the document is still arriving.
    mutating func has(_ index: Int) -> Bool {
        index < end || waitFor(index)
    }

    @inline(never)
    private mutating func waitFor(_ index: Int) -> Bool {
        guard let arrival else { return false }
        end = arrival.wait(for: index)
        return index < end
    }

    /// The byte at the position, nil at the end.
    var current: UInt8? {
        mutating get { has(position) ? bytes[position] : nil }
    }

    mutating func skipSpace() {
        while has(position), JSONByte.isSpace(bytes[position]) { position += 1 }
    }

    /// Steps over `byte` and the space behind it, if it stands here.
    mutating func take(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        position += 1
        skipSpace()
        return true
    }

    /// Steps over a string and returns the bytes between its quotes.
    mutating func skipString() throws(DocumentError) -> Range<Int> {
        guard current == JSONByte.quote else { throw fault("a string was expected") }
        let start = position + 1
        guard let close = endOfString(from: start) else { throw .truncated(bytes: end) }
        position = close + 1
        return start..<close
    }

    /// Steps over any value.
    mutating func skipValue() throws(DocumentError) {
        switch current {
        case JSONByte.quote: _ = try skipString()
        case JSONByte.openBrace, JSONByte.openBracket: try skipContainer { _, _ in }
        case nil: throw .truncated(bytes: end)
        default: try skipLiteral()
        }
    }

    /// Steps over a number, `true`, `false` or `null`.
    private mutating func skipLiteral() throws(DocumentError) {
        let start = position
        while has(position), JSONByte.isLiteral(bytes[position]) { position += 1 }
        guard position > start else { throw fault("a value was expected") }
    }

    /// Steps over an object or array. `member` is told every string that stands directly inside it.
    mutating func skipContainer(member: (Range<Int>, inout JSONSkipper) -> Void) throws(DocumentError) {
        var open = OpenBrackets()
        var index = position
        // What is here of the document is walked without asking for more.
        while has(index) {
            let here = UnsafeRawBufferPointer(rebasing: bytes[..<end])
            while index < here.count {
                let byte = here[index]
                // Brackets and braces differ from each other in one bit: most bytes leave here after three comparisons.
                let folded = byte | 0x20
                guard byte == JSONByte.quote || folded == JSONByte.openBrace || folded == JSONByte.closeBrace else {
                    index += 1
                    continue
                }
                if byte == JSONByte.quote {
                    guard let close = endOfString(from: index + 1) else { throw .truncated(bytes: end) }
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
                if folded == JSONByte.openBrace {
                    guard open.count < JSONSkipper.maximumDepth else {
                        throw fault(at: index - 1, "nested too deeply")
                    }
                    open.push(isBrace: byte == JSONByte.openBrace)
                    if open.count > 1 { index = stepThroughBlocks(from: index, &open) }
                } else {
                    guard open.pop() == (byte == JSONByte.closeBrace) else {
                        throw fault(at: index - 1, "brackets do not match")
                    }
                    if open.count == 0 {
                        position = index
                        return
                    }
                }
            }
        }
        throw .truncated(bytes: end)
    }

    /// Where the string that began before `start` ends: at the next quote with an even number of backslashes before it.
    @inline(__always)
    private mutating func endOfString(from start: Int) -> Int? {
        var index = start
        while has(index) {
            let here = UnsafeRawBufferPointer(rebasing: bytes[..<end])
            while index < here.count {
                guard here[index] == JSONByte.quote else {
                    index += 1
                    continue
                }
                var backslashes = 0
                while index - backslashes > start, here[index - backslashes - 1] == JSONByte.backslash {
                    backslashes += 1
                }
                if backslashes % 2 == 0 { return index }
                index += 1
            }
        }
        return nil
    }

    private func fault(at index: Int, _ reason: String) -> DocumentError {
        .notJSON(offset: index, reason: reason)
    }

    mutating func fault(_ reason: String) -> DocumentError {
        has(position) ? .notJSON(offset: position, reason: reason) : .truncated(bytes: end)
    }
}

/// The bytes JSON is made of.
enum JSONByte {
    static let quote = UInt8(ascii: "\"")
    static let backslash = UInt8(ascii: "\\")
    static let openBrace = UInt8(ascii: "{")
    static let closeBrace = UInt8(ascii: "}")
    static let openBracket = UInt8(ascii: "[")
    static let closeBracket = UInt8(ascii: "]")
    static let colon = UInt8(ascii: ":")
    static let comma = UInt8(ascii: ",")
    static let space = UInt8(ascii: " ")
    static let null: StaticString = "null"

    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    /// Whether a byte in a string stands for itself alone: printable ASCII, no escape.
    static func isPlain(_ byte: UInt8) -> Bool {
        (0x20...0x7E).contains(byte) && byte != backslash
    }

    /// Whether a byte may stand in a number or in `true`, `false`, `null`.
    static func isLiteral(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
