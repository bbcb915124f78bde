import QuakeModel

extension ByteWriter {
    @inline(__always) func append(json value: FieldValue, _ encoding: FieldEncoding = .plain) {
        switch (value, encoding) {
        case (.integer(let milliseconds), .moment):
            append(byte: UInt8(ascii: "\""))
            append(moment: Timestamp(milliseconds: milliseconds))
            append(byte: UInt8(ascii: "\""))
        case (.integer(let milliseconds), .local(let zone)):
            append(jsonString: zone.secondWords(Timestamp(milliseconds: milliseconds)))
        case (.integer(let number), _): append(integer: number)
        case (.real(let number), _) where number.isFinite: append(real: number)
        case (.text(let bytes), .embeddedJSON): append(embeddedJSON: bytes)
        case (.text(let bytes), .set): append(jsonSet: bytes)
        case (.text(let bytes), _): append(jsonString: bytes)
        case (.real, _), (.null, _): append(literal: "null")
        }
    }

    func append(jsonString text: String) {
        var text = text
        text.withUTF8 { append(jsonString: $0) }
    }

    /// Appends `bytes` as a JSON string with its quotes.
    ///
    /// The document is safe to show in a terminal (``JSONText``).
    @inline(__always) func append(jsonString bytes: UnsafeBufferPointer<UInt8>) {
        append(byte: UInt8(ascii: "\""))
        if bytes.isEveryByte({ $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
            append(bytes)
        } else {
            append(JSONText.escaped(String(decoding: bytes, as: UTF8.self)))
        }
        append(byte: UInt8(ascii: "\""))
    }

    /// Appends the words of a set, which the feed writes with commas between and around them, as an array.
    @inline(never) func append(jsonSet bytes: UnsafeBufferPointer<UInt8>) {
        append(byte: UInt8(ascii: "["))
        for (index, word) in bytes.split(separator: UInt8(ascii: ",")).enumerated() {
            if index > 0 { append(byte: UInt8(ascii: ",")) }
            append(jsonString: UnsafeBufferPointer(rebasing: word))
        }
        append(byte: UInt8(ascii: "]"))
    }

    /// Appends bytes that are JSON, on one line. They were checked when they were read.
    @inline(never) func append(embeddedJSON bytes: UnsafeBufferPointer<UInt8>) {
        append(JSONText.onOneLine(String(decoding: bytes, as: UTF8.self)))
    }
}
