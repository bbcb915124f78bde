import Foundation
import FoundationXML
import Testing

/// The names of the elements of an XML document, which must be well-formed.
final class XMLReader: NSObject, XMLParserDelegate {
    private(set) var names: [String] = []

    init(_ document: String) throws {
        super.init()
        let parser = XMLParser(data: Data(document.utf8))
        parser.delegate = self
        try #require(parser.parse(), "\(document)")
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        names.append(name)
    }
}
