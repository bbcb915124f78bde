/// Formats text for a JSON document on one line.
///
/// Characters that ``TerminalText`` considers unsafe are also escaped, so the document is safe to show in a terminal.
/// This does not change the values.
package enum JSONText {
    /// Returns `text` as a JSON string with its quotes.
    package static func quoted(_ text: String) -> String { "\"\(escaped(text))\"" }

    /// Returns `text` as it appears between the quotes of a JSON string. If `inMarkup` is true, `<` is escaped so that
    /// the text cannot end the enclosing script element or open a comment in it.
    package static func escaped(_ text: String, inMarkup: Bool = false) -> String {
        text.replacingScalars { scalar in
            switch scalar {
            case "\"": "\\\""
            case "\\": "\\\\"
            case "\n": "\\n"
            case "\r": "\\r"
            case "\t": "\\t"
            case "<" where inMarkup: escape(scalar)
            case _ where TerminalText.isUnsafe(scalar): escape(scalar)
            default: nil
            }
        }
    }

    /// Returns the JSON value `json` on one line. Control characters can only be whitespace between tokens, and become
    /// spaces. Other unsafe characters occur only in strings, so they can be escaped without parsing.
    package static func onOneLine(_ json: String) -> String {
        json.replacingScalars { scalar in
            scalar < " " ? " " : TerminalText.isUnsafe(scalar) ? escape(scalar) : nil
        }
    }

    /// Whether `text` is a JSON object with at most 100 levels of nesting.
    package static func isObject(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            bytes.first { ![0x20, 0x0A, 0x0D, 0x09].contains($0) } == UInt8(ascii: "{")
                && JSONGrammar.isValue(UnsafeRawBufferPointer(bytes))
        }
    }

    /// Returns the UTF-16 code unit of the escape at `position`, such as `\u00e9`; nil if there is none.
    package static func escapedCodeUnit(at position: Int, in bytes: UnsafeRawBufferPointer) -> UInt16? {
        guard position + 6 <= bytes.count, bytes[position] == UInt8(ascii: "\\"),
            bytes[position + 1] == UInt8(ascii: "u")
        else { return nil }
        var unit: UInt16 = 0
        for byte in bytes[position + 2..<position + 6] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        String(scalar).utf16.map { "\\u" + String(0x10000 + UInt32($0), radix: 16).dropFirst() }.joined()
    }
}
