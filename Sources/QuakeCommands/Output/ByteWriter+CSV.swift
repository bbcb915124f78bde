/// Text as a field of comma-separated values (RFC 4180).
extension ByteWriter {
    /// Appends `text`, quoted where it must be; the empty text as `""`, for nothing means a missing value.
    @inline(__always)
    func append(csv text: UnsafeBufferPointer<UInt8>, facesTerminal: Bool) {
        let isPlain = text.isEveryByte {
            $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: ",")
        }
        if isPlain, !text.isEmpty { append(text) } else { appendQuotable(text, facesTerminal) }
    }

    @inline(never)
    private func appendQuotable(_ text: UnsafeBufferPointer<UInt8>, _ facesTerminal: Bool) {
        if facesTerminal, !text.isPrintableASCII {
            var safe = TerminalText.sanitized(String(decoding: text, as: UTF8.self))
            safe.withUTF8 { appendQuotedWhereNeeded($0) }
        } else {
            text.withValidUTF8 { appendQuotedWhereNeeded($0) }
        }
    }

    private func appendQuotedWhereNeeded(_ text: UnsafeBufferPointer<UInt8>) {
        let needsQuotes = text.contains {
            $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r")
        }
        guard needsQuotes || text.isEmpty else { return append(text) }
        append(byte: UInt8(ascii: "\""))
        for byte in text {
            if byte == UInt8(ascii: "\"") { append(byte: byte) }
            append(byte: byte)
        }
        append(byte: UInt8(ascii: "\""))
    }
}
