import QuakeModel

/// Writes quakes as comma- or tab-separated values: a header line, then one line per quake.
///
/// Lines end with a line feed, as most tools write them. Values are not changed, not even those that a spreadsheet
/// would interpret as a formula (Documentation/decisions/0075).
final class DelimitedRenderer: QuakeRenderer {
    private let fields: [QuakeField]
    private let encodings: [FieldEncoding]
    private let delimiter: Delimiter
    let writer: ByteWriter
    private let facesTerminal: Bool

    init(_ fields: [QuakeField], delimiter: Delimiter, writer: ByteWriter, style: OutputStyle) {
        self.fields = fields
        self.delimiter = delimiter
        self.writer = writer
        encodings = fields.map { FieldEncoding($0, usesEpochTime: style.usesEpochTime) }
        facesTerminal = style.facesTerminal
    }

    func begin() {
        writer.append(fields.map(\.name).joined(separator: String(UnicodeScalar(delimiter.byte))))
        writer.append(byte: UInt8(ascii: "\n"))
    }

    func row(_ field: (Int) -> FieldValue) throws(OutputError) {
        for index in encodings.indices {
            if index > 0 { writer.append(byte: delimiter.byte) }
            append(field(index), encodings[index])
        }
        writer.append(byte: UInt8(ascii: "\n"))
        try writer.flushIfFull()
    }

    @inline(__always)
    private func append(_ value: FieldValue, _ encoding: FieldEncoding) {
        switch value {
        case .integer(let milliseconds) where encoding == .moment:
            writer.append(moment: Timestamp(milliseconds: milliseconds))
        case .integer(let number): writer.append(integer: number)
        case .real(let number) where number.isFinite: writer.append(real: number)
        case .text(let bytes): writer.append(field: bytes, delimiter, facesTerminal: facesTerminal)
        case .real, .null:
            // Some readers skip empty lines, so a line with one missing value must not be empty.
            if delimiter == .comma, encodings.count == 1 { writer.append(literal: "\"\"") }
        }
    }
}

/// The character between two fields, and the way to write a text that contains it.
enum Delimiter {
    /// RFC 4180: quoted if necessary. A missing value is empty, an empty text is `""`.
    case comma
    /// No quotes: a tab in a text is written `\t`, a line break `\n` or `\r`, a backslash `\\`.
    case tab

    /// The byte itself.
    var byte: UInt8 {
        switch self {
        case .comma: UInt8(ascii: ",")
        case .tab: UInt8(ascii: "\t")
        }
    }
}

extension ByteWriter {
    /// Appends `text` as one field. On a terminal unsafe characters are replaced (``TerminalText``).
    @inline(__always)
    func append(field text: UnsafeBufferPointer<UInt8>, _ delimiter: Delimiter, facesTerminal: Bool) {
        switch delimiter {
        case .comma: append(csv: text, facesTerminal: facesTerminal)
        case .tab: append(tsv: text, facesTerminal: facesTerminal)
        }
    }
}

/// Text as a field of comma-separated values (RFC 4180).
extension ByteWriter {
    /// Appends `text`, quoted if necessary. An empty text is `""`, because an empty field is a missing value.
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
