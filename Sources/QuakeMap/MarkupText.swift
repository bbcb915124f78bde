import QuakeModel

/// Text inserted into HTML and SVG as data. It cannot contain markup or change the direction of the text after it.
enum MarkupText {
    /// Returns `text` for use in an element or quoted attribute. Characters unsafe in a terminal are removed as well.
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

    /// Returns a coordinate in a picture, with at most one decimal.
    static func coordinate(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        let sign = tenths < 0 ? "-" : ""
        let digits = abs(tenths)
        return digits % 10 == 0 ? "\(sign)\(digits / 10)" : "\(sign)\(digits / 10).\(digits % 10)"
    }
}
