/// Makes text from outside safe to print on a terminal.
///
/// Place names come from the network. A terminal executes escape sequences, and invisible characters or those that
/// change the writing direction can make one text look like another. Each such character is replaced by U+FFFD, which
/// takes one column. This includes line breaks, so that a field stays on one line.
package enum TerminalText {
    /// `text` with every unsafe character replaced.
    package static func sanitized(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
        var safe = String.UnicodeScalarView()
        safe.append(contentsOf: text.unicodeScalars.lazy.map { isUnsafe($0) ? "\u{FFFD}" : $0 })
        return String(safe)
    }

    /// Whether a terminal may interpret `scalar` as a command, or show nothing for it.
    package static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
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
