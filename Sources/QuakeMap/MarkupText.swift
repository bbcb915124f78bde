import QuakeModel

/// Text put into HTML and SVG as data: nothing in it is markup, and nothing in it turns the direction of what follows.
enum MarkupText {
    /// `text` as the content of an element or of a quoted attribute. What a terminal must not see, a page need not.
    static func escaped(_ text: String) -> String {
        let safe = TerminalText.sanitized(text)
        guard safe.unicodeScalars.contains(where: { entities[$0] != nil }) else { return safe }
        return safe.unicodeScalars.reduce(into: "") { escaped, scalar in
            if let entity = entities[scalar] { escaped += entity } else { escaped.unicodeScalars.append(scalar) }
        }
    }

    private static let entities: [Unicode.Scalar: String] = [
        "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;",
    ]

    /// A coordinate of a picture: at most one decimal.
    static func coordinate(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        let sign = tenths < 0 ? "-" : ""
        let digits = abs(tenths)
        return digits % 10 == 0 ? "\(sign)\(digits / 10)" : "\(sign)\(digits / 10).\(digits % 10)"
    }
}
