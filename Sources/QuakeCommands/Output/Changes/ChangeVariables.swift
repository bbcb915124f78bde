import QuakeModel

/// A change as environment variables for a command: `QUAKE_ID`, `QUAKE_MAG`, `QUAKE_BEFORE_MAG`, …
///
/// The names are those of template placeholders, in upper case. The values are those of `{NAME:raw}`, each on one line
/// and without control characters. A value is never part of the command itself, so text from a feed is never executed.
/// A value too long for the environment is cut, so that it cannot keep changes from reaching a consumer.
struct ChangeVariables {
    /// Linux allows 128 KiB per variable and, with a stack limit of 8 MiB, 2 MiB for all of them.
    private static let maximumBytes = 16 << 10

    private let texts: ChangeTexts

    init(style: OutputStyle) { texts = ChangeTexts(style) }

    /// Returns the variables of `change` by name.
    func variables(of change: RelevantChange) -> [String: String] {
        guard let quake = change.change.after ?? change.change.before else { return [:] }
        let pairs = OutputTemplate.changePlaceholders.map { name, placeholder in
            (
                "QUAKE_" + name.uppercased().replacing(".", with: "_"),
                Self.cut(TerminalText.sanitized(texts.text(placeholder, as: .raw, of: quake, change)))
            )
        }
        return Dictionary(pairs) { first, _ in first }
    }

    /// Returns the beginning of `value` that fits. A range of a text ends between two scalars.
    private static func cut(_ value: String) -> String {
        let end = value.utf8.index(value.startIndex, offsetBy: maximumBytes, limitedBy: value.endIndex)
        return String(value[..<(end ?? value.endIndex)])
    }
}
