/// The brackets and braces that are open, one bit each.
struct OpenBrackets {
    private var words: (UInt64, [UInt64]) = (0, [])
    private(set) var count = 0

    /// Whether the innermost open bracket is a brace; nil if none is open.
    var innermostIsBrace: Bool? { count > 0 ? words.0 & 1 == 1 : nil }

    mutating func push(isBrace: Bool) {
        if count > 0, count % 64 == 0 {
            words.1.append(words.0)
            words.0 = 0
        }
        words.0 = words.0 << 1 | (isBrace ? 1 : 0)
        count += 1
    }

    /// Closes the innermost bracket and returns whether it was a brace; nil if none is open.
    mutating func pop() -> Bool? {
        guard let isBrace = innermostIsBrace else { return nil }
        words.0 >>= 1
        count -= 1
        if count > 0, count % 64 == 0, let word = words.1.popLast() { words.0 = word }
        return isBrace
    }
}
