import QuakeModel

/// Text put into HTML and SVG as data: nothing in it is markup, and nothing in it turns the direction of what follows.
enum MarkupText {
    /// `text` as the content of an element or of a quoted attribute. What a terminal must not see, a page need not.
    static func escaped(_ text: String) -> String {
        let safe = TerminalText.sanitized(text)
        guard safe.utf8.contains(where: isMarkup) else { return safe }
        var escaped = ""
        for scalar in safe.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    private static func isMarkup(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"): true
        default: false
        }
    }

    /// A coordinate of a picture: at most one decimal.
    static func coordinate(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        let sign = tenths < 0 ? "-" : ""
        let digits = abs(tenths)
        return digits % 10 == 0 ? "\(sign)\(digits / 10)" : "\(sign)\(digits / 10).\(digits % 10)"
    }
}
