/// Text for a terminal that shows ASCII only. It takes as many columns as before, so that a table stays aligned.
package enum ASCIIText {
    /// `text` with letters without their accents, and `?` for what has no likeness. A sign that ASCII writes with two
    /// characters, such as `->`, takes the column of the space after it.
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

    /// The letter that `scalar` is without its accents, which Unicode's name for it says.
    private static func letter(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        guard let words = scalar.properties.name?.split(separator: " "), words.count > 3, words[0] == "LATIN",
            words[2] == "LETTER", words[3].utf8.count == 1, let letter = words[3].unicodeScalars.first
        else { return nil }
        return words[1] == "SMALL" ? letter.properties.lowercaseMapping.unicodeScalars.first : letter
    }
}
