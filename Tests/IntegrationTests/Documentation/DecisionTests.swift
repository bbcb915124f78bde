import Foundation
import QuakeTestSupport
import Testing

/// The pages in Documentation/decisions, each of which explains something that is there.
@Suite("Decisions", .timeLimit(.minutes(5)))
struct DecisionTests {
    /// The names of the pages: `0001-download-in-a-program-of-its-own.md`.
    private static func pages() throws -> [String] {
        let folder = Fixture.projectDirectory.appending(path: "Documentation/decisions")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".md") }.sorted()
    }

    /// The texts of the project that may name a decision, apart from the decisions and the log of changes.
    private static func texts() throws -> [String] {
        try texts(in: ["Sources", "Tests", "Scripts", "Packaging", "Documentation"])
            + ["README.md", "CONTRIBUTING.md", "Makefile", "Package.swift"].map { try Document($0).text }
    }

    /// The texts below `folders`, apart from the decisions, each behind the name of its file.
    private static func texts(in folders: [String]) throws -> [String] {
        var texts: [String] = []
        for folder in folders {
            let root = Fixture.projectDirectory.appending(path: folder)
            let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: [.isRegularFileKey])
            for case let file as URL in files ?? .init() where !file.path.contains("/decisions/") {
                guard try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true,
                    !["geojson", "webp", "svg"].contains(file.pathExtension), !file.path.contains("/.build/"),
                    let text = try? String(contentsOf: file, encoding: .utf8)
                else { continue }
                texts.append("\(file.lastPathComponent)\n\(text)")
            }
        }
        return texts
    }

    @Test("Each decision is named by the code or the document that it explains, and each that is named exists")
    func named() throws {
        var named: Set<String> = []
        for text in try Self.texts() where text.contains("ecision") {
            // "decision 0001", "decisions 0001, 0002", "decisions/0001", "[0001](decisions/0001-….md)", also over two
            // lines of a comment.
            for match in text.matches(of: /(?i)\bdecisions?(?:[\s#\/\[]+)(\d{4})\b/) {
                named.insert(String(match.output.1))
            }
        }
        let numbers = Set(try Self.pages().map { String($0.prefix(4)) })
        #expect(numbers.subtracting(named) == [])
        #expect(named.subtracting(numbers) == [])
    }

    @Test(
        "What pages for developers name in the code is there",
        arguments: ["Documentation/architecture.md", "Documentation/adding.md"])
    func namesInCode(path: String) throws {
        let code = try Self.texts(in: ["Sources", "Tests"]) + [Document("Package.swift").text]
        let known = Set(code.flatMap { $0.split { !$0.isLetter && !$0.isNumber } })
        for passage in try Document(path).text.matches(of: /`([^`\n]+)`/) {
            let names = passage.output.1.matches(of: /[A-Za-z]*[a-z][A-Z][A-Za-z]*/).map(\.output)
            let unknown = names.filter { !known.contains($0) }
            #expect(unknown == [], "\(path)")
        }
    }

    @Test("Each decision fits on a screen and begins with its number")
    func form() throws {
        let pages = try Self.pages()
        #expect((20...40).contains(pages.count))
        for page in pages {
            let lines = try Document("Documentation/decisions/\(page)").text.split(
                separator: "\n", omittingEmptySubsequences: false)
            #expect(lines[0].hasPrefix("# \(page.prefix(4)) ") && lines.count <= 41, "\(page)")
        }
    }
}
