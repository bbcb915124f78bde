package import QuakeModel

/// Writes quakes as comma- or tab-separated values: a header line, then one line per quake.
///
/// Lines end with a line feed, as most tools write them. Values are not changed, not even those that a spreadsheet
/// would interpret as a formula.
final class DelimitedRenderer: QuakeRenderer {
    private let headings: [String]
    private let encodings: [FieldEncoding]
    private let delimiter: Delimiter
    let writer: ByteWriter
    private let facesTerminal: Bool

    /// `headings` are the names of the columns, if not those of `fields`.
    init(_ fields: [QuakeField], headings: [String]?, delimiter: Delimiter, writer: ByteWriter, style: OutputStyle) {
        self.headings = headings.map { $0 + fields.dropFirst($0.count).map(\.name) } ?? fields.map(\.name)
        (self.delimiter, self.writer) = (delimiter, writer)
        encodings = fields.map { FieldEncoding($0, style) }
        facesTerminal = style.facesTerminal
    }

    func begin() {
        writer.append(headings.joined(separator: String(UnicodeScalar(delimiter.byte))))
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

    @inline(__always) private func append(_ value: FieldValue, _ encoding: FieldEncoding) {
        if case .null = value, delimiter == .comma, encodings.count == 1 {
            // Some readers skip empty lines, so a line with one missing value must not be empty.
            writer.append(literal: "\"\"")
        } else {
            writer.append(value, encoding, delimiter, facesTerminal: facesTerminal)
        }
    }
}

extension ByteWriter {
    /// Appends a line of texts; nil is a missing value.
    func append(row cells: [String?], _ delimiter: Delimiter, facesTerminal: Bool = false) {
        append(cells: cells, delimiter, facesTerminal: facesTerminal)
        append(byte: UInt8(ascii: "\n"))
    }

    /// Appends texts with delimiters between them; nil is a missing value.
    func append(cells: [String?], _ delimiter: Delimiter, facesTerminal: Bool = false) {
        for (index, cell) in cells.enumerated() {
            if index > 0 { append(byte: delimiter.byte) }
            guard var cell else { continue }
            cell.withUTF8 { append(field: $0, delimiter, facesTerminal: facesTerminal) }
        }
    }

    /// Appends a value as one field; nothing for a missing one.
    @inline(__always)
    func append(_ value: FieldValue, _ encoding: FieldEncoding, _ delimiter: Delimiter, facesTerminal: Bool) {
        switch (value, encoding) {
        case (.integer(let milliseconds), .moment): append(moment: Timestamp(milliseconds: milliseconds))
        case (.integer(let milliseconds), .local(let zone)):
            append(zone.secondWords(Timestamp(milliseconds: milliseconds)))
        case (.integer(let number), _): append(integer: number)
        case (.real(let number), _) where number.isFinite: append(real: number)
        case (.text(let bytes), .set): append(set: bytes, delimiter, facesTerminal: facesTerminal)
        case (.text(let bytes), _): append(field: bytes, delimiter, facesTerminal: facesTerminal)
        case (.real, _), (.null, _): break
        }
    }

    /// Appends the words of a set, which the feed writes with commas between and around them, with a space between.
    private func append(set bytes: UnsafeBufferPointer<UInt8>, _ delimiter: Delimiter, facesTerminal: Bool) {
        var words = String(decoding: bytes, as: UTF8.self).utf8.split(separator: UInt8(ascii: ","))
            .map { String(Substring($0)) }.joined(separator: " ")
        words.withUTF8 { append(field: $0, delimiter, facesTerminal: facesTerminal) }
    }
}

/// The character between two fields, and the way to write a text that contains it.
enum Delimiter {
    /// RFC 4180: quoted if necessary. A missing value is empty, an empty text is `""`.
    case comma
    /// No quotes: a tab in a text is written `\t`, a line break `\n` or `\r`, a backslash `\\`.
    case tab

    var byte: UInt8 {
        switch self {
        case .comma: UInt8(ascii: ",")
        case .tab: UInt8(ascii: "\t")
        }
    }
}

extension ByteWriter {
    /// Appends `text` as one field. On a terminal unsafe characters are replaced (``TerminalText``).
    @inline(__always) func append(field text: UnsafeBufferPointer<UInt8>, _ delimiter: Delimiter, facesTerminal: Bool) {
        switch delimiter {
        case .comma: append(csv: text, facesTerminal: facesTerminal)
        case .tab: append(tsv: text, facesTerminal: facesTerminal)
        }
    }
}

extension ByteWriter {
    /// Appends `text`, quoted if necessary. An empty text is `""`, because an empty field is a missing value.
    @inline(__always) func append(csv text: UnsafeBufferPointer<UInt8>, facesTerminal: Bool) {
        let isPlain = text.isEveryByte {
            $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: ",")
        }
        if isPlain, !text.isEmpty { append(text) } else { appendQuotable(text, facesTerminal) }
    }

    @inline(never) private func appendQuotable(_ text: UnsafeBufferPointer<UInt8>, _ facesTerminal: Bool) {
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

extension ByteWriter {
    /// Appends `text` with tabs, line breaks and backslashes written as escapes.
    @inline(__always) func append(tsv text: UnsafeBufferPointer<UInt8>, facesTerminal: Bool) {
        if text.isEveryByte({ $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }) {
            append(text)
        } else {
            appendEscaped(text, facesTerminal)
        }
    }

    @inline(never) private func appendEscaped(_ text: UnsafeBufferPointer<UInt8>, _ facesTerminal: Bool) {
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

extension ByteWriter {
    /// Appends the value of `field` as one field; nothing without a quake.
    func append(_ field: QuakeField, of quake: Quake?, _ delimiter: Delimiter, _ style: OutputStyle) {
        guard let quake else { return }
        style.display.value(of: field, of: quake).withField {
            append($0, FieldEncoding(field, style), delimiter, facesTerminal: style.facesTerminal)
        }
    }
}

/// Writes whole quakes as comma-separated values, in the columns that `list` has.
package struct QuakeRows {
    private let writer: ByteWriter
    private let style: OutputStyle
    private let fields: [QuakeField]

    package init(_ writer: ByteWriter, _ style: OutputStyle) {
        (self.writer, self.style) = (writer, style)
        fields = FieldList(fields: nil).fieldsForPrograms(style.display)
        writer.append(row: fields.map(\.name), .comma)
    }

    package func append(_ quake: Quake) {
        for (index, field) in fields.enumerated() {
            if index > 0 { writer.append(byte: Delimiter.comma.byte) }
            writer.append(field, of: quake, .comma, style)
        }
        writer.append(byte: UInt8(ascii: "\n"))
    }
}
