import Foundation
import QuakeTestSupport

/// A man page in Documentation/man, as text without fonts and escapes.
struct ManualPage {
    static let folder = Fixture.projectDirectory.appending(path: "Documentation/man")

    /// The page's text. Lines that begin with a dot are macros.
    let plain: String

    init(_ name: String) throws {
        let text = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
        plain = text.replacing(/\\f[BRI]|\\%|\\&/, with: "").replacing("\\-", with: "-").replacing("\\(dq", with: "\"")
            .replacing(/\\\[u([0-9A-F]+)\]/) { match in
                UInt32(match.output.1, radix: 16).flatMap(Unicode.Scalar.init).map { String($0) } ?? ""
            }
            .replacing("\\e", with: "\\")
    }

    /// Returns the lines below a heading.
    func section(_ title: String) -> String {
        let start = plain.components(separatedBy: ".Sh \(title)\n").dropFirst().first ?? ""
        return start.components(separatedBy: "\n.Sh ")[0] + "\n"
    }

    /// Returns the list entries in a section, or on the whole page: the term and its indented text.
    func items(of title: String?) -> [(term: String, text: String)] {
        let text = title.map(section) ?? plain
        return text.components(separatedBy: "\n.It ").dropFirst().map { entry in
            let lines = entry.components(separatedBy: "\n")
            let term = lines[0].replacing("Fl ", with: "-").replacing(" , ", with: ", ").replacing("Ar ", with: "")
            let words = lines.dropFirst().prefix { !$0.hasPrefix(".") }.joined(separator: " ")
            return (term, words)
        }
    }
}
