/// What stands between two fields of a line, and how a text is written so that it can stand between two of them.
enum Delimiter {
    /// RFC 4180: quotes where they are needed; nothing is a missing value, `""` an empty text.
    case comma
    /// No quotes: a tab within text is written `\t`, a line break `\n` or `\r`, a backslash `\\`.
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
    /// Appends `text` as one field. Only towards a terminal are control characters replaced (``TerminalText``).
    @inline(__always)
    func append(field text: UnsafeBufferPointer<UInt8>, _ delimiter: Delimiter, facesTerminal: Bool) {
        switch delimiter {
        case .comma: append(csv: text, facesTerminal: facesTerminal)
        case .tab: append(tsv: text, facesTerminal: facesTerminal)
        }
    }
}
