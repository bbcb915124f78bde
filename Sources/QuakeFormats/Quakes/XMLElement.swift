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

    /// Creates an element with text; nil if there is none.
    init?(_ name: String, _ text: String?) {
        guard let text else { return nil }
        self.name = name
        publicID = nil
        content = Self.escaped(text)
    }

    /// Creates an element with a value and its uncertainty; nil without a value.
    init?(_ name: String, value: Double?, uncertainty: Double? = nil) {
        guard let value else { return nil }
        self.init(
            name,
            [
                XMLElement("value", PlainNumber.text(value)),
                XMLElement("uncertainty", uncertainty.map(PlainNumber.text)),
            ])
    }

    /// The element as text, followed by a line break.
    var text: String { "<\(name)\(publicID.map { " publicID=\"\(Self.escaped($0))\"" } ?? "")>\(content)</\(name)>\n" }

    /// Returns `text` as the content of an element or a quoted attribute. Characters that a terminal must not receive,
    /// most of which XML does not allow either, become U+FFFD.
    private static func escaped(_ text: String) -> String {
        TerminalText.sanitized(text).replacingScalars { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            // XML 1.0 does not allow them.
            case "\u{FFFE}", "\u{FFFF}": "\u{FFFD}"
            default: nil
            }
        }
    }
}
