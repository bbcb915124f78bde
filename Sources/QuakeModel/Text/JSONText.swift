import FoundationEssentials

/// Formats text for a JSON document on one line.
///
/// Characters that ``TerminalText`` considers unsafe are also escaped. The values stay the same, and the document is
/// safe to show in a terminal.
package enum JSONText {
    /// Returns `text` as a JSON string with its quotes.
    package static func quoted(_ text: String) -> String { "\"\(escaped(text))\"" }

    /// Returns `text` as it appears between the quotes of a JSON string. If `inMarkup` is true, `<` is escaped so that
    /// no text can end the enclosing script element or open a comment in it.
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

    /// Returns the JSON value `json` on one line. Unsafe characters occur only in strings, so they can be escaped
    /// without parsing. Control characters occur only as whitespace between tokens.
    package static func onOneLine(_ json: String) -> String {
        json.replacingScalars { scalar in
            scalar < " " ? " " : TerminalText.isUnsafe(scalar) ? escape(scalar) : nil
        }
    }

    /// Whether `text` is a JSON object in which every value can be decoded and nesting is at most 100 levels deep.
    package static func isObject(_ text: String) -> Bool {
        // JSONDecoder accepts a trailing comma in an object or array.
        let plain = text.replacing(/"(?:[^"\\]|\\.)*"/.matchingSemantics(.unicodeScalar), with: "0")
        return !plain.contains(/,\s*[\]}]/.matchingSemantics(.unicodeScalar))
            && (try? JSONDecoder().decode([String: ReadableValue].self, from: Data(text.utf8))) != nil
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        String(scalar).utf16.map { "\\u" + String(0x10000 + UInt32($0), radix: 16).dropFirst() }.joined()
    }
}

extension String {
    /// Returns this text with another text in place of each scalar for which `other` returns one.
    package func replacingScalars(_ other: (Unicode.Scalar) -> String?) -> String {
        guard unicodeScalars.contains(where: { other($0) != nil }) else { return self }
        return unicodeScalars.reduce(into: "") { result, scalar in
            if let other = other(scalar) { result += other } else { result.unicodeScalars.append(scalar) }
        }
    }
}

/// Decodes every part of any value, because JSONDecoder checks a number or string only on request.
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
