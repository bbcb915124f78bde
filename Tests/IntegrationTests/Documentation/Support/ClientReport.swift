import Foundation
import FoundationXML

/// How the tests of the client package ended, from the report that `make test` has them write.
struct ClientReport {
    enum Outcome {
        case passed, failed, skipped
    }

    /// The address of the report; nil where the tests were started in another way.
    static let address = ProcessInfo.processInfo.environment["QUAKES_CLIENT_REPORT"].map { URL(filePath: $0) }

    /// By `Suite.test`, without arguments.
    let outcomes: [String: Outcome]

    /// Reads a report in the format of JUnit.
    init(_ report: Data) throws {
        let reader = CaseReader()
        let parser = XMLParser(data: report)
        parser.delegate = reader
        guard parser.parse() else { throw CocoaError(.fileReadCorruptFile) }
        outcomes = reader.outcomes
    }

    /// Reads `testcase` elements with their `failure` and `skipped`.
    private final class CaseReader: NSObject, XMLParserDelegate {
        var outcomes: [String: Outcome] = [:]
        private var current = ""

        func parser(
            _ parser: XMLParser, didStartElement element: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) {
            switch element {
            case "testcase":
                let suite = attributes["classname"]?.split(separator: ".").last ?? ""
                current = "\(suite).\(attributes["name"]?.prefix { $0 != "(" } ?? "")"
                outcomes[current] = .passed
            case "failure": outcomes[current] = .failed
            case "skipped": outcomes[current] = .skipped
            default: break
            }
        }
    }
}
