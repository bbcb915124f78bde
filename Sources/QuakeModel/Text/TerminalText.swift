import Glibc

/// Makes external text safe to print on a terminal.
///
/// Place names come from the network. A terminal executes escape sequences, and characters that are invisible or change
/// the writing direction can make one text look like another. Each such character is replaced by U+FFFD, which takes
/// one column. This includes line breaks, so a field stays on one line.
package enum TerminalText {
    /// Returns `text` with every unsafe character replaced.
    package static func sanitized(_ text: String) -> String {
        text.replacingScalars { isUnsafe($0) ? "\u{FFFD}" : nil }
    }

    /// Whether a terminal may interpret `scalar` as a command or show nothing for it.
    package static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1F, 0x7F, 0x80...0x9F: true  // C0, DEL, C1
        case ..<0xAD: false
        case 0x200C, 0x200D, 0xFE0E, 0xFE0F: false  // joiners and variation selectors, which scripts and emoji need
        case 0x2028, 0x2029, 0xFFF9...0xFFFB: true  // line and paragraph separator, annotations
        default: scalar.properties.isDefaultIgnorableCodePoint  // directions, tags and other invisible characters
        }
    }
}

/// Converts text for a terminal that shows only ASCII. The width stays the same, so tables stay aligned.
package enum ASCIIText {
    /// Returns `text` without accents, and with `?` for characters that have no ASCII equivalent. A sign that becomes
    /// two characters, such as `->`, also takes the column of the space after it.
    package static func of(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            if scalar.isASCII {
                result.append(scalar)
            } else if let pair = pairs[scalar], rest.first == " " {
                result.append(contentsOf: pair.unicodeScalars)
                rest.removeFirst()
            } else {
                let likeness = signs[scalar] ?? letter(scalar) ?? "?"
                result.append(contentsOf: repeatElement(likeness, count: DisplayWidth.columns(of: scalar)))
            }
        }
        return String(result)
    }

    private static let pairs: [Unicode.Scalar: String] = ["→": "->", "≥": ">=", "≤": "<="]

    private static let signs: [Unicode.Scalar: Unicode.Scalar] = [
        "→": ">", "…": "~", "·": "-", "–": "-", "—": "-", "−": "-", "°": " ", "’": "'", "‘": "'", "“": "\"",
        "”": "\"", "×": "x", "\u{A0}": " ",
    ]

    /// Returns the base letter of `scalar`, derived from its Unicode name.
    private static func letter(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        guard let words = scalar.properties.name?.split(separator: " "), words.count > 3, words[0] == "LATIN",
            words[2] == "LETTER", words[3].utf8.count == 1, let letter = words[3].unicodeScalars.first
        else { return nil }
        return words[1] == "SMALL" ? letter.properties.lowercaseMapping.unicodeScalars.first : letter
    }
}

extension String {
    /// Whether the text contains a zero byte, which C programs would treat as its end.
    package var hasZeroByte: Bool {
        utf8.withContiguousStorageIfAvailable { bytes in
            bytes.baseAddress.map { memchr($0, 0, bytes.count) != nil } ?? false
        } ?? utf8.contains(0)
    }
}
