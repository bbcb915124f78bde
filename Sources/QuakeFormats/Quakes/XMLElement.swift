import QuakeModel

/// An XML element with children or text.
struct XMLElement {
    private let name: String
    private let publicID: String?
    private let content: String

    /// Creates an element with the `children` that are not nil; nil if there are none.
    init?(_ name: String, publicID: String? = nil, _ children: [XMLElement?]) {
        let children = children.compactMap { $0 }
        guard !children.isEmpty else { return nil }
        self.name = name
        self.publicID = publicID
        content = "\n" + children.map(\.text).joined()
    }

    /// Creates an element with `text`; nil if `text` is nil.
    init?(_ name: String, _ text: String?) {
        guard let text else { return nil }
        self.name = name
        publicID = nil
        content = Self.escaped(text)
    }

    /// Creates an element with a number; nil if the number is missing or not finite.
    init?(_ name: String, number: Double?) {
        guard let number, number.isFinite else { return nil }
        self.init(name, PlainNumber.text(number))
    }

    /// Creates an element with a value and, if known, its uncertainty; nil if the value is missing or not finite.
    init?(_ name: String, value: Double?, uncertainty: Double? = nil) {
        guard let value = XMLElement("value", number: value) else { return nil }
        self.init(name, [value, XMLElement("uncertainty", number: uncertainty)])
    }

    /// The element as text, followed by a line break.
    var text: String { "<\(name)\(publicID.map { " publicID=\"\(Self.escaped($0))\"" } ?? "")>\(content)</\(name)>\n" }

    /// Returns `text` escaped for the content of an element or a quoted attribute. Characters that `TerminalText`
    /// considers unsafe, apart from tabs and line breaks, become U+FFFD; XML forbids most of them, too.
    private static func escaped(_ text: String) -> String {
        text.replacingScalars { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            case "\t", "\n", "\r": "&#\(scalar.value);"
            // XML 1.0 forbids these two.
            case "\u{FFFE}", "\u{FFFF}": "\u{FFFD}"
            case _ where TerminalText.isUnsafe(scalar): "\u{FFFD}"
            default: nil
            }
        }
    }
}
