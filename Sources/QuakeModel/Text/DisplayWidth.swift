/// Computes the width of text in terminal columns.
package enum DisplayWidth {
    /// Returns the number of columns for `text`, which must not contain characters that ``TerminalText`` considers
    /// unsafe.
    package static func columns(of text: String) -> Int {
        let bytes = text.utf8
        guard !bytes.allSatisfy({ $0 < 0x80 }) else { return bytes.count }
        return text.unicodeScalars.reduce(0) { $0 + columns(of: $1) }
    }

    /// Returns the number of columns for `scalar`: 2 for wide characters, 0 for combining characters, and 1 for all
    /// others.
    ///
    /// The wide characters are classes W and F of Unicode's East Asian Width (UAX #11): the blocks below, and emoji. A
    /// regional indicator counts as 1, so a flag, which consists of two, counts as 2. An emoji joined from several
    /// emoji counts as the sum of their widths, as some terminals draw it; other terminals draw it narrower.
    package static func columns(of scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x300 { return scalar.value == 0xAD ? 0 : 1 }
        if isZeroWidth(scalar) { return 0 }
        return isWide(scalar) ? 2 : 1
    }

    private static func isZeroWidth(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: true
        default: (0x1160...0x11FF).contains(scalar.value)  // Hangul vowels and finals, drawn into the syllable
        }
    }

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1100...0x115F: true  // Hangul initials
        case 0x2329, 0x232A: true  // angle brackets
        case 0x2E80...0x303E, 0x3041...0xA4CF: true  // CJK radicals to Yi, without the half-width space 303F
        case 0xA960...0xA97F, 0xAC00...0xD7A3: true  // Hangul
        case 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F: true  // CJK compatibility
        case 0xFF01...0xFF60, 0xFFE0...0xFFE6: true  // full-width forms
        case 0x16FE0...0x1B2FF: true  // Tangut, Khitan, Kana supplements
        case 0x1F1E6...0x1F1FF: false  // regional indicators
        case 0x1F200...0x1F2FF: true  // enclosed ideographs
        case 0x20000...0x3FFFD: true  // CJK extensions
        default: scalar.properties.isEmojiPresentation
        }
    }

    /// Returns `text` if it fits into `limit` columns, otherwise as many characters as fit before an ellipsis. The text
    /// is cut between grapheme clusters, so that letters keep their accents.
    package static func fitted(_ text: String, columns limit: Int) -> String {
        guard columns(of: text) > limit else { return text }
        guard limit > 0 else { return "" }
        var used = 0
        let kept = text.prefix { character in
            used += columns(of: String(character))
            return used < limit
        }
        return kept + "…"
    }
}
