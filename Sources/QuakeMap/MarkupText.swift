import QuakeModel

/// Text inserted into HTML and SVG as data. It cannot contain markup or change the direction of the text after it.
enum MarkupText {
    /// Returns `text` for use in an element or quoted attribute. Characters that are unsafe in a terminal become
    /// U+FFFD.
    static func escaped(_ text: String) -> String { TerminalText.sanitized(text).replacingScalars { entities[$0] } }

    private static let entities: [Unicode.Scalar: String] = [
        "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;",
    ]

    /// Returns a coordinate in an SVG document, with at most one decimal.
    static func coordinate(_ value: Double) -> String { PlainNumber.text(value, decimals: 1) }
}
