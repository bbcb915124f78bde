import QuakeModel
import QuakeSystem

/// An element of XML with its children, or with a text.
struct XMLElement {
    private let name: String
    private let publicID: String?
    private let content: String

    /// An element of `children`, without those that are nil; nil if none is left.
    init?(_ name: String, publicID: String? = nil, _ children: [XMLElement?]) {
        let children = children.compactMap { $0 }
        guard !children.isEmpty else { return nil }
        (self.name, self.publicID) = (name, publicID)
        content = "\n" + children.map(\.text).joined()
    }

    /// An element of a text; nil for nil.
    init?(_ name: String, _ text: String?) {
        guard let text else { return nil }
        (self.name, publicID) = (name, nil)
        content = Self.escaped(text)
    }

    /// An element with a value and its uncertainty; nil for nil.
    init?(_ name: String, value: Double?, uncertainty: Double? = nil) {
        guard let value else { return nil }
        self.init(
            name,
            [
                XMLElement("value", PlainNumber.text(value)),
                XMLElement("uncertainty", uncertainty.map(PlainNumber.text)),
            ])
    }

    /// The element as text, on lines of its own.
    var text: String { "<\(name)\(publicID.map { " publicID=\"\(Self.escaped($0))\"" } ?? "")>\(content)</\(name)>\n" }

    /// `text` as the content of an element or of an attribute in quotes. What a terminal must not see, most of which
    /// XML does not allow, becomes U+FFFD.
    private static func escaped(_ text: String) -> String {
        // XML 1.0 has no place for the last two.
        TerminalText.sanitized(text).replacing([
            "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "\u{FFFE}": "\u{FFFD}", "\u{FFFF}": "\u{FFFD}",
        ])
    }
}
