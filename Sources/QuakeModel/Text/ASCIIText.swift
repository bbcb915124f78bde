/// Converts text for a terminal that shows only ASCII. The width stays the same, so tables stay aligned.
package enum ASCIIText {
    /// Returns `text` without accents, and with `?` for characters that have no ASCII equivalent. An arrow or
    /// inequality sign and the space after it become two characters, such as `->`.
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
        "”": "\"", "×": "x", "\u{A0}": " ", "ʻ": "'", "ʼ": "'", "µ": "u", "μ": "u", "Æ": "A", "æ": "a", "Œ": "O",
        "œ": "o", "ß": "s", "ı": "i", "Þ": "T", "þ": "t", "Ð": "D", "ð": "d",
    ]

    /// Returns the base letter of `scalar`, derived from its Unicode name.
    private static func letter(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        guard let words = scalar.properties.name?.split(separator: " "), words.count > 3, words[0] == "LATIN",
            words[2] == "LETTER", words[3].utf8.count == 1, let letter = words[3].unicodeScalars.first
        else { return nil }
        return words[1] == "SMALL" ? letter.properties.lowercaseMapping.unicodeScalars.first : letter
    }
}
