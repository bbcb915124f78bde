import FoundationEssentials

/// Text as a part of a JSON document, on one line.
///
/// What ``TerminalText`` calls unsafe is escaped too: the value stays the same, and the document is safe to show in a
/// terminal.
package enum JSONText {
    /// `text` as a JSON string with its quotes.
    package static func quoted(_ text: String) -> String { "\"\(escaped(text))\"" }

    /// `text` as it stands between the quotes of a JSON string. `inMarkup`: `<` is escaped, so that no text ends the
    /// script element that the document stands in, or opens a comment there.
    package static func escaped(_ text: String, inMarkup: Bool = false) -> String {
        replacing(text) { scalar in
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

    /// `json`, which is a JSON value, on one line. Unsafe characters occur only in its strings, so they can be escaped
    /// without parsing; control characters are white space between them.
    package static func onOneLine(_ json: String) -> String {
        replacing(json) { scalar in
            scalar < " " ? " " : TerminalText.isUnsafe(scalar) ? escape(scalar) : nil
        }
    }

    /// Whether `text` is one JSON object whose every value can be read, none nested deeper than 100 levels.
    package static func isObject(_ text: String) -> Bool {
        // JSONDecoder lets a comma before the end of an object or array pass.
        let plain = text.replacing(/"(?:[^"\\]|\\.)*"/.matchingSemantics(.unicodeScalar), with: "0")
        return !plain.contains(/,\s*[\]}]/.matchingSemantics(.unicodeScalar))
            && (try? JSONDecoder().decode([String: ReadableValue].self, from: Data(text.utf8))) != nil
    }

    private static func replacing(_ text: String, with other: (Unicode.Scalar) -> String?) -> String {
        guard text.unicodeScalars.contains(where: { other($0) != nil }) else { return text }
        return text.unicodeScalars.reduce(into: "") { result, scalar in
            if let other = other(scalar) { result += other } else { result.unicodeScalars.append(scalar) }
        }
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        String(scalar).utf16.map { "\\u" + String(0x10000 + UInt32($0), radix: 16).dropFirst() }.joined()
    }
}

/// Any value: JSONDecoder looks at a number or a string only when it is asked for.
private struct ReadableValue: Decodable {
    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        guard decoder.codingPath.count <= 100 else {
            throw DecodingError.dataCorruptedError(in: value, debugDescription: "nested too deeply")
        }
        let isScalar =
            value.decodeNil() || (try? value.decode(Bool.self)) != nil || (try? value.decode(Double.self)) != nil
            || (try? value.decode(String.self)) != nil
        if !isScalar, (try? value.decode([ReadableValue].self)) == nil {
            _ = try value.decode([String: ReadableValue].self)
        }
    }
}
