import QuakeModel

extension ByteWriter {
    /// Appends a field as a JSON value.
    @inline(__always)
    func append(json value: FieldValue, _ encoding: FieldEncoding = .plain) {
        switch value {
        case .integer(let milliseconds) where encoding == .moment:
            append(byte: UInt8(ascii: "\""))
            append(moment: Timestamp(milliseconds: milliseconds))
            append(byte: UInt8(ascii: "\""))
        case .integer(let number): append(integer: number)
        case .real(let number) where number.isFinite: append(real: number)
        case .text(let bytes) where encoding == .embeddedJSON && JSONSyntax.isObject(bytes): append(embeddedJSON: bytes)
        case .text(let bytes): append(jsonString: bytes)
        case .real, .null: append(literal: "null")
        }
    }

    /// Appends `text` as a JSON string with its quotes.
    func append(jsonString text: String) {
        var text = text
        text.withUTF8 { append(jsonString: $0) }
    }

    /// Appends `bytes` as a JSON string with its quotes.
    ///
    /// Beyond what JSON asks for, everything ``TerminalText`` calls unsafe is escaped: the value stays the same, and
    /// the document is safe to look at in a terminal.
    @inline(__always)
    func append(jsonString bytes: UnsafeBufferPointer<UInt8>) {
        append(byte: UInt8(ascii: "\""))
        if bytes.isEveryByte({ $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
            append(bytes)
        } else {
            appendEscaped(bytes, isWithinString: true)
        }
        append(byte: UInt8(ascii: "\""))
    }

    /// Appends bytes that are a JSON value themselves, on one line. Whether they are one is for the caller to know.
    @inline(never)
    func append(embeddedJSON bytes: UnsafeBufferPointer<UInt8>) {
        appendEscaped(bytes, isWithinString: false)
    }

    /// Outside of strings JSON has no character above 7E, so that escaping those needs no notion of where a string
    /// begins; control characters are white space there.
    @inline(never)
    private func appendEscaped(_ bytes: UnsafeBufferPointer<UInt8>, isWithinString: Bool) {
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            switch scalar {
            case "\"" where isWithinString: append(literal: "\\\"")
            case "\\" where isWithinString: append(literal: "\\\\")
            case "\n" where isWithinString: append(literal: "\\n")
            case "\r" where isWithinString: append(literal: "\\r")
            case "\t" where isWithinString: append(literal: "\\t")
            case "\0"..." " where !isWithinString: append(byte: UInt8(ascii: " "))
            case _ where TerminalText.isUnsafe(scalar): UTF16.encode(scalar)?.forEach { append(jsonEscape: $0) }
            default: UTF8.encode(scalar)?.forEach { append(byte: $0) }
            }
        }
    }

    private func append(jsonEscape unit: UInt16) {
        append(literal: "\\u")
        for shift in stride(from: 12, through: 0, by: -4) {
            let digit = UInt8(unit >> UInt16(shift) & 0xF)
            append(byte: digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }
}
