/// Makes external text safe to print on a terminal.
///
/// Place names come from the network. A terminal executes escape sequences, and characters that are invisible or change
/// the writing direction can make one string look like another. Each such character is replaced by U+FFFD, which takes
/// one column. Line breaks are also replaced, so a field stays on one line.
package enum TerminalText {
    /// Returns `text` with every unsafe character replaced.
    package static func sanitized(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
        return text.replacingScalars { isUnsafe($0) ? "\u{FFFD}" : nil }
    }

    /// Whether a terminal may interpret `scalar` as a command or show nothing for it.
    package static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E: false
        case 0x00...0x1F, 0x7F, 0x80...0x9F: true  // C0, DEL, C1
        case ..<0xAD: false
        case 0x200C, 0x200D, 0xFE0E, 0xFE0F: false  // joiners and variation selectors, which scripts and emoji need
        case 0x2028, 0x2029, 0xFFF9...0xFFFB: true  // line and paragraph separator, annotations
        default: scalar.properties.isDefaultIgnorableCodePoint  // directions, tags and other invisible characters
        }
    }
}

extension String {
    /// Returns this string with each scalar replaced by the string that `other` returns for it; a scalar for which
    /// `other` returns nil stays.
    package func replacingScalars(_ other: (Unicode.Scalar) -> String?) -> String {
        guard unicodeScalars.contains(where: { other($0) != nil }) else { return self }
        return unicodeScalars.reduce(into: "") { result, scalar in
            if let other = other(scalar) { result += other } else { result.unicodeScalars.append(scalar) }
        }
    }
}
