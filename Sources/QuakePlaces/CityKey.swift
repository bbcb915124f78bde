import QuakeModel

/// The key by which place names are compared: the letters and digits, without case, accents, spaces and punctuation,
/// with abbreviations expanded. `St. John's` and `saint johns` have the same key.
///
/// The packed cities are sorted by key; `Scripts/pack-cities` builds the keys by the same rules.
enum CityKey {
    /// Returns the key of `name`; empty if the name has neither letters nor digits.
    static func key(of name: some StringProtocol) -> [UInt8] {
        let scalars = TextFolding.folded(String(name)).unicodeScalars.flatMap { scalar in
            letters[scalar].map { Array($0.unicodeScalars) } ?? [scalar]
        }
        let words = scalars.split { !$0.properties.isAlphabetic && $0.properties.numericType == nil }.map { word in
            String(String.UnicodeScalarView(word))
        }
        return words.flatMap { Array((shortForms[$0] ?? $0).utf8) }
    }

    private static let shortForms = [
        "st": "saint", "ste": "sainte", "sta": "santa", "sto": "santo", "ft": "fort", "mt": "mount",
    ]

    /// Replacements for letters that Unicode does not decompose. An empty replacement removes a mark.
    private static let letters: [Unicode.Scalar: String] = [
        "ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ə": "a",
        "'": "", "`": "",
    ]
}
