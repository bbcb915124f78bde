/// Text from outside, made safe to show to a person.
///
/// Place names come from the network and paths from anywhere. A terminal obeys some of what it is sent, and characters
/// that turn the direction or show nothing can make one text look like another. Each such character becomes U+FFFD,
/// which takes one column. Line breaks are among them: what is one field stays on one line.
enum TerminalText {
    /// `text` with everything unsafe replaced.
    static func sanitized(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
        var safe = String.UnicodeScalarView()
        safe.append(contentsOf: text.unicodeScalars.lazy.map { isUnsafe($0) ? "\u{FFFD}" : $0 })
        return String(safe)
    }

    /// Whether a terminal might obey `scalar`, or a reader not see it.
    static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1F, 0x7F, 0x80...0x9F: true  // C0, DEL, C1
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true  // directions
        case 0x2028, 0x2029: true  // line and paragraph separator
        case 0x200B, 0x2060...0x2065, 0x206A...0x206F, 0xFEFF, 0xFFF9...0xFFFB: true  // nothing to see
        case 0xE0000...0xE007F: true  // tags
        default: false
        }
    }
}
