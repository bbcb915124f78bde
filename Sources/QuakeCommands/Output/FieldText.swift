/// The bytes of a text field: what they hold, found out in one pass without copying.
extension UnsafeBufferPointer<UInt8> {
    /// Whether `test` is true of every byte. It looks at all of them without an early way out, which lets the compiler
    /// test sixteen at a time.
    @inline(__always)
    func isEveryByte(_ test: (UInt8) -> Bool) -> Bool {
        var isEvery = true
        for byte in self { isEvery = test(byte) && isEvery }
        return isEvery
    }

    /// Whether every byte is ASCII, so that the bytes are valid UTF-8 for sure.
    @inline(__always)
    var isASCII: Bool { isEveryByte { $0 < 0x80 } }

    /// Calls `body` with these bytes, each invalid UTF-8 sequence replaced by U+FFFD: SQLite keeps any bytes as text.
    @inline(__always)
    func withValidUTF8<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if isASCII { return body(self) }
        var text = String(decoding: self, as: UTF8.self)
        return text.withUTF8(body)
    }
}
