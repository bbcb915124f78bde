import CQuakes

/// Skipping 64 bytes at a time, after Langdale and Lemire, "Parsing Gigabytes of JSON per Second" (VLDB Journal 28,
/// 2019).
///
/// Most bytes of a feature are in its properties, and a scan only needs to find where they end. Skipping them byte by
/// byte took two thirds of the scan's time. Only matching brackets are found block by block; everything else is handled
/// byte by byte.
extension JSONSkipper {
    private static let blockSize = 64

    /// Matches brackets from `start`, which is outside any string, until only the outermost bracket of `open` remains
    /// open. Stops earlier at a mismatched bracket, at a backslash outside a string, or if less than a block is left.
    /// Returns the position after the last bracket matched.
    func stepThroughBlocks(from start: Int, _ open: inout OpenBrackets) -> Int {
        guard let base = bytes.baseAddress else { return start }
        var counted = start
        var block = start
        var strings = StringMask()
        while block + JSONSkipper.blockSize <= bytes.count {
            let marks = json_marks_at(base + block)
            guard let inString = strings.next(marks) else { return counted }
            var brackets = (marks.openers | marks.closers) & ~inString
            while brackets != 0 {
                let bit = brackets.trailingZeroBitCount
                let isBrace = bytes[block + bit] & 0x20 != 0
                if marks.openers >> UInt64(bit) & 1 == 1 {
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

/// Determines which bytes are in strings, block by block.
private struct StringMask {
    /// All ones if the previous block ended in a string.
    private var carriedString: UInt64 = 0
    /// 1 if the last byte of the previous block was a backslash that escapes the next byte.
    private var carriedEscape: UInt64 = 0

    /// Returns the mask of the next block's bytes that are in strings, including opening but not closing quotes; nil if
    /// a backslash is outside a string.
    mutating func next(_ marks: json_marks) -> UInt64? {
        var quotes = marks.quotes
        if marks.backslashes | carriedEscape != 0 { quotes &= ~escaped(marks.backslashes) }
        // Every quote inverts its own bit and all following bits.
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
