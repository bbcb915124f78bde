/// Makes text from outside safe to print on a terminal.
///
/// Place names come from the network. A terminal executes escape sequences, and invisible characters or those that
/// change the writing direction can make one text look like another. Each such character is replaced by U+FFFD, which
/// takes one column. This includes line breaks, so that a field stays on one line.
enum TerminalText {
    /// `text` with every unsafe character replaced.
    static func sanitized(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
        var safe = String.UnicodeScalarView()
        safe.append(contentsOf: text.unicodeScalars.lazy.map { isUnsafe($0) ? "\u{FFFD}" : $0 })
        return String(safe)
    }

    /// Whether a terminal may interpret `scalar` as a command, or show nothing for it.
    static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1F, 0x7F, 0x80...0x9F: true  // C0, DEL, C1
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true  // directions
        case 0x2028, 0x2029: true  // line and paragraph separator
        case 0x200B, 0x2060...0x2065, 0x206A...0x206F, 0xFEFF, 0xFFF9...0xFFFB: true  // invisible
        case 0xE0000...0xE007F: true  // tags
        default: false
        }
    }
}

extension ByteWriter {
    /// Appends text with every unsafe character replaced.
    func append(sanitized text: UnsafeBufferPointer<UInt8>) {
        if text.isPrintableASCII {
            append(text)
        } else {
            append(TerminalText.sanitized(String(decoding: text, as: UTF8.self)))
        }
    }

    /// Appends text with every unsafe character replaced.
    func append(sanitized text: String) {
        var text = text
        text.withUTF8 { append(sanitized: $0) }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether every byte is ASCII that takes one column.
    @inline(__always)
    var isPrintableASCII: Bool { isEveryByte { $0 >= 0x20 && $0 < 0x7F } }
}

/// The number of terminal columns of a text.
enum DisplayWidth {
    /// The columns of `text`, which must not contain unsafe characters.
    static func columns(of text: some StringProtocol) -> Int {
        text.unicodeScalars.reduce(0) { $0 + columns(of: $1) }
    }

    /// The columns of `scalar`: 2 for wide characters, 0 for combining ones, else 1.
    ///
    /// Wide are the classes W and F of Unicode's East Asian Width (UAX #11): the blocks below, and emoji. A regional
    /// indicator counts 1, so that a flag (two of them) counts 2. A joined emoji counts as the sum of its parts, as
    /// some terminals draw it; on others the line ends early.
    static func columns(of scalar: Unicode.Scalar) -> Int {
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

    /// `text` if it fits into `columns`, else as many of its characters as fit before an ellipsis. It is cut between
    /// grapheme clusters, so that a letter keeps its accent.
    static func fitted(_ text: String, columns limit: Int) -> String {
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
