package import QuakeModel

/// Writes lines of values separated by delimiters. A missing value is empty.
package struct DelimitedRows {
    /// The character between two fields, which determines how text is escaped.
    package enum Delimiter: UInt8 {
        /// Quoted if necessary (RFC 4180). A missing value is empty; empty text is `""`.
        case comma = 0x2C
        /// No quotes. In text, a tab is written `\t`, a line break `\n` or `\r`, and a backslash `\\`.
        case tab = 0x09
    }

    private let output: ByteBuffer
    private let delimiter: Delimiter
    private let facesTerminal: Bool

    /// - Parameter facesTerminal: whether to replace characters that are unsafe on a terminal: see `TerminalText`.
    package init(_ output: ByteBuffer, _ delimiter: Delimiter, facesTerminal: Bool) {
        self.output = output
        self.delimiter = delimiter
        self.facesTerminal = facesTerminal
    }

    package func append(_ records: [Record]) { for record in records { appendLine(record.members.map { $1?.cell }) } }

    package func appendLine(_ cells: [String?]) {
        for cell in cells { append(cell) }
        endLine()
    }

    package func append(_ text: String?) {
        if var text { text.withUTF8 { append(bytes: $0) } }
        output.append(delimiter.rawValue)
    }

    /// Appends the value of `property`; an empty value if `quake` is nil.
    func append(_ property: QuakeProperty, of quake: Quake?) {
        (quake?[property] ?? .null).withField { append($0, FieldEncoding(property)) }
    }

    @inline(__always) package func append(_ value: FieldValue, _ encoding: FieldEncoding) {
        switch (value, encoding) {
        case (.integer(let milliseconds), .moment): output.append(moment: Timestamp(milliseconds: milliseconds))
        case (.integer(let milliseconds), .local(let words)):
            output.append(words(Timestamp(milliseconds: milliseconds)))
        case (.integer(let number), _): output.append(integer: number)
        case (.real(let number), _) where number.isFinite: output.append(real: number)
        case (.text(let bytes), .set): append(set: bytes)
        case (.text(let bytes), _): append(bytes: bytes)
        case (.real, _), (.null, _): break
        }
        output.append(delimiter.rawValue)
    }

    /// Appends the members of a set, separated by spaces. In the feed, commas stand between and around the members.
    private func append(set bytes: UnsafeBufferPointer<UInt8>) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bytes.count) { words in
            var count = 0
            bytes.forEachWord { word in
                if count > 0 {
                    words[count] = UInt8(ascii: " ")
                    count += 1
                }
                count = words[count...].update(fromContentsOf: word)
            }
            append(bytes: UnsafeBufferPointer(rebasing: words[..<count]))
        }
    }

    @inline(__always) private func append(bytes text: UnsafeBufferPointer<UInt8>) {
        switch delimiter {
        case .comma: output.append(csv: text, facesTerminal: facesTerminal)
        case .tab: output.append(tsv: text, facesTerminal: facesTerminal)
        }
    }

    /// Ends the line by replacing the delimiter after the last value.
    package func endLine() {
        output.removeLast(1)
        output.append(UInt8(ascii: "\n"))
    }
}

extension ByteBuffer {
    /// Appends `text`, quoted if necessary. Empty text is written `""`, because an empty field is a missing value.
    @inline(__always) func append(csv text: UnsafeBufferPointer<UInt8>, facesTerminal: Bool) {
        let isPlain = text.isEveryByte {
            $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: ",")
        }
        if isPlain, !text.isEmpty { return append(text) }
        // Of the remaining values, most need quotes only because of a comma.
        if text.isEveryByte({ $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") }) {
            append(UInt8(ascii: "\""))
            append(text)
            append(UInt8(ascii: "\""))
        } else {
            append(String(decoding: text, as: UTF8.self).csvField(facesTerminal: facesTerminal))
        }
    }

    /// Appends `text` with tabs, line breaks and backslashes written as escapes.
    @inline(__always) func append(tsv text: UnsafeBufferPointer<UInt8>, facesTerminal: Bool) {
        if text.isEveryByte({ $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }) { return append(text) }
        let escaped = String(decoding: text, as: UTF8.self).replacingScalars { scalar in
            switch scalar {
            case "\t": "\\t"
            case "\n": "\\n"
            case "\r": "\\r"
            case "\\": "\\\\"
            default: nil
            }
        }
        append(facesTerminal ? TerminalText.sanitized(escaped) : escaped)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether `test` is true for every byte. There is no early exit, so the compiler can test 16 bytes at a time.
    @inline(__always) fileprivate func isEveryByte(_ test: (UInt8) -> Bool) -> Bool {
        var isEvery = true
        for byte in self { isEvery = test(byte) && isEvery }
        return isEvery
    }
}

extension String {
    /// Returns the text as a field of comma-separated values. On a terminal, unsafe characters are replaced.
    package func csvField(facesTerminal: Bool = false) -> String {
        let text = facesTerminal ? TerminalText.sanitized(self) : self
        guard text.isEmpty || text.utf8.contains(where: "\",\n\r".utf8.contains) else { return text }
        return "\"" + text.replacingScalars { $0 == "\"" ? "\"\"" : nil } + "\""
    }
}
