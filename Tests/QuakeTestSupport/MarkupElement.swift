import Foundation
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// An element of an XML document as found by an independent reader.
public final class MarkupElement {
    /// The name of the element; empty for the document.
    public let name: String
    /// The attribute `publicID`.
    public let publicID: String?
    /// The text directly in the element.
    public fileprivate(set) var text = ""
    fileprivate var children: [MarkupElement] = []

    /// Reads a document, which must be well-formed.
    public convenience init(of document: String) throws {
        self.init(name: "", publicID: nil)
        let (parser, reader) = (XMLParser(data: Data(document.utf8)), MarkupReader(self))
        parser.delegate = reader
        let isWellFormed = withExtendedLifetime(reader) { parser.parse() }
        try #require(isWellFormed, "\(document)")
    }

    fileprivate init(name: String, publicID: String?) {
        (self.name, self.publicID) = (name, publicID)
    }

    /// The first element at a path of names.
    public subscript(path: String) -> MarkupElement? {
        path.split(separator: "/").reduce(self as MarkupElement?) { element, name in
            element?.children.first { $0.name == name }
        }
    }

    /// All elements of that name, however deep.
    public func all(_ name: String) -> [MarkupElement] {
        children.filter { $0.name == name } + children.flatMap { $0.all(name) }
    }
}

private final class MarkupReader: NSObject, XMLParserDelegate {
    private var open: [MarkupElement]

    init(_ document: MarkupElement) {
        open = [document]
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        let element = MarkupElement(name: name, publicID: attributes["publicID"])
        open.last?.children.append(element)
        open.append(element)
    }

    func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) { open.removeLast() }

    func parser(_ parser: XMLParser, foundCharacters text: String) { open.last?.text += text }
}
