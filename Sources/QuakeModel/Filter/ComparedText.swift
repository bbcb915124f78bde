// For the canonical decomposition of the standard library, which spares the program Foundation and its ICU.
@_spi(_Unicode) import Swift

/// Text is compared by its bytes after these conversions, here as in SQL.
extension QuakeFilter {
    /// `text` without case and accents, as place names are compared: `Pāhala` becomes `pahala`.
    public static func folded(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
        var letters = String.UnicodeScalarView()
        for scalar in text._nfd where !isAccent(scalar) { letters.append(scalar) }
        // Upper case first: it makes ß SS, ς and σ the same letter, and ı I.
        return String(letters).uppercased().lowercased()
    }

    /// Whether the scalar is a combining mark that belongs to no particular script.
    private static func isAccent(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x300...0x36F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: true
        default: false
        }
    }

    /// `text` with its ASCII letters in lower case, as SQL's `lower` returns it.
    package static func lowercasedASCII(_ text: String) -> String {
        String(decoding: text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}
