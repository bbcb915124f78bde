import JSONMarks

/// Walking 64 bytes at a time, after Langdale and Lemire, "Parsing Gigabytes of JSON per Second" (VLDB Journal 28, 2019).
///
/// Need: most bytes of a feature lie in its properties, of which a scan wants only the end; byte by byte they were two thirds
/// of it. Hazard: two ways through the same bytes that could differ. Choice: the blocks only count brackets that are
/// in order; whatever else comes is left to the way byte by byte.
extension JSONSkipper {
    private static let blockSize = 64

    /// Steps from `start`, which is not in a string, to behind the bracket that leaves only the outermost of `open`.
    ///
    /// Stops earlier, behind the last bracket it counted, at what is out of order and when less than a block is here.
    func stepThroughBlocks(from start: Int, _ open: inout OpenBrackets) -> Int {
        guard let base = bytes.baseAddress else { return start }
        var counted = start
        var block = start
        var strings = StringMask()
        while block + JSONSkipper.blockSize <= end {
            let marks = json_marks_at(base + block)
            guard let inString = strings.next(marks) else { return counted }
            var brackets = (marks.openers | marks.closers) & ~inString
            while brackets != 0 {
                let bit = brackets.trailingZeroBitCount
                let isBrace = bytes[block + bit] & 0x20 != 0
                if marks.openers >> UInt64(bit) & 1 == 1 {
                    guard open.count < JSONSkipper.maximumDepth else { return counted }
                    open.push(isBrace: isBrace)
                } else {
                    guard open.innermostIsBrace == isBrace else { return counted }
                    _ = open.pop()
                }
                counted = block + bit + 1
                if open.count == 1 { return counted }
                brackets &= brackets - 1
            }
            block += JSONSkipper.blockSize
        }
        return counted
    }
}

/// Tells which bytes lie in strings, block by block.
private struct StringMask {
    /// All ones when the block before ended in a string.
    private var carriedString: UInt64 = 0
    /// 1 when its last byte was a backslash that escapes.
    private var carriedEscape: UInt64 = 0

    /// The bytes of the next block that lie in strings, an opening quote with them; nil when a backslash lies in none.
    mutating func next(_ marks: json_marks) -> UInt64? {
        var quotes = marks.quotes
        if marks.backslashes | carriedEscape != 0 { quotes &= ~escaped(marks.backslashes) }
        // Every quote turns the meaning of all bytes from itself on.
        var inString = quotes
        inString ^= inString << 1
        inString ^= inString << 2
        inString ^= inString << 4
        inString ^= inString << 8
        inString ^= inString << 16
        inString ^= inString << 32
        inString ^= carriedString
        carriedString = UInt64(bitPattern: Int64(bitPattern: inString) >> 63)
        return marks.backslashes & ~inString == 0 ? inString : nil
    }

    /// The bytes behind an escaping backslash.
    private mutating func escaped(_ backslashes: UInt64) -> UInt64 {
        var escaped = carriedEscape
        var rest = backslashes & ~carriedEscape
        carriedEscape = 0
        while rest != 0 {
            let backslash = rest & (~rest &+ 1)
            carriedEscape = backslash >> 63
            escaped |= backslash << 1
            rest &= ~(backslash | backslash << 1)
        }
        return escaped
    }
}
