import QuakeModel

extension ByteWriter {
    /// Appends text with every unsafe character replaced.
    package func append(sanitized text: UnsafeBufferPointer<UInt8>) {
        if text.isPrintableASCII {
            append(text)
        } else {
            append(TerminalText.sanitized(String(decoding: text, as: UTF8.self)))
        }
    }

    package func append(sanitized text: String) {
        var text = text
        text.withUTF8 { append(sanitized: $0) }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether every byte is ASCII that takes one column.
    @inline(__always)
    var isPrintableASCII: Bool { isEveryByte { $0 >= 0x20 && $0 < 0x7F } }
}
