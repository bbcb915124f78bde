import QuakeModel

/// The environment variables from which an `--exec-each` command learns about a change. A name is `QUAKE_` and the name
/// of a template placeholder in upper case. A value is the text of `{NAME:raw}`, on one line and without control
/// characters. Values are not part of the command line, so text from a feed is never executed. A value too long for the
/// environment is cut, so that it cannot block the delivery.
struct ChangeVariables {
    /// Linux allows 128 KiB per variable and, with a stack limit of 8 MiB, 2 MiB for all variables and arguments.
    private static let maximumBytes = 16 << 10

    private let texts: ChangeTexts

    init(style: OutputStyle) { texts = ChangeTexts(style) }

    /// Returns the values for `change`, keyed by the name of the variable.
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

    /// Returns the beginning of `value` that fits. If the limit is inside a scalar, the slice ends before that scalar.
    private static func cut(_ value: String) -> String {
        let end = value.utf8.index(value.startIndex, offsetBy: maximumBytes, limitedBy: value.endIndex)
        return String(value[..<(end ?? value.endIndex)])
    }
}
