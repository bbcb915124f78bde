/// Text as a field of tab-separated values.
extension ByteWriter {
    /// Appends `text` with tabs, line breaks and backslashes written as escapes.
    @inline(__always)
    func append(tsv text: UnsafeBufferPointer<UInt8>, facesTerminal: Bool) {
        if text.isEveryByte({ $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }) {
            append(text)
        } else {
            appendEscaped(text, facesTerminal)
        }
    }

    @inline(never)
    private func appendEscaped(_ text: UnsafeBufferPointer<UInt8>, _ facesTerminal: Bool) {
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
            switch scalar {
            case "\t": append(literal: "\\t")
            case "\n": append(literal: "\\n")
            case "\r": append(literal: "\\r")
            case "\\": append(literal: "\\\\")
            case _ where facesTerminal && TerminalText.isUnsafe(scalar): append("\u{FFFD}")
            default: UTF8.encode(scalar)?.forEach { append(byte: $0) }
            }
        }
    }
}
