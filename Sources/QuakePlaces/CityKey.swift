import QuakeModel

/// The key by which place names are compared: the letters and digits, without case, accents, spaces and punctuation,
/// with abbreviations expanded. `St. John's` and `saint johns` have the same key.
///
/// The packed cities are sorted by key; `Scripts/pack-cities` builds the keys by the same rules.
enum CityKey {
    /// Returns the key of `name`; empty if the name has neither letters nor digits.
    static func key(of name: some StringProtocol) -> [UInt8] {
        words(of: name).flatMap { shortForms[String(decoding: $0, as: UTF8.self)].map { Array($0.utf8) } ?? $0 }
    }

    private static func words(of name: some StringProtocol) -> [[UInt8]] {
        var words: [[UInt8]] = [[]]
        func add(_ scalar: Unicode.Scalar) {
            if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
                words[words.count - 1] += Array(String(scalar).utf8)
            } else if words.last?.isEmpty == false {
                words.append([])
            }
        }
        if name.utf8.allSatisfy({ $0 < 0x80 && $0 != apostrophe && $0 != graveAccent }) {
            return name.utf8.split { !isLetterOrDigit($0) }.map {
                $0.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
            }
        }
        for scalar in QuakeFilter.folded(String(name)).unicodeScalars {
            guard let letters = letters[scalar] else {
                add(scalar)
                continue
            }
            letters.unicodeScalars.forEach(add)
        }
        return words.filter { !$0.isEmpty }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
    }

    private static let apostrophe = UInt8(ascii: "'")
    private static let graveAccent = UInt8(ascii: "`")

    private static let shortForms = [
        "st": "saint", "ste": "sainte", "sta": "santa", "sto": "santo", "ft": "fort", "mt": "mount",
    ]

    /// Replacements for letters that Unicode does not decompose; empty for marks that are left out.
    private static let letters: [Unicode.Scalar: String] = [
        "ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ə": "a",
        "'": "", "’": "", "‘": "", "ʻ": "", "ʼ": "", "`": "",
    ]
}
