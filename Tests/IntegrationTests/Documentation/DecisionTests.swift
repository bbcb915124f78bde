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
        var texts: [String] = []
        for folder in ["Sources", "Tests", "Scripts", "Packaging", "Documentation"] {
            let root = Fixture.projectDirectory.appending(path: folder)
            let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: [.isRegularFileKey])
            for case let file as URL in files ?? .init() where !file.path.contains("/decisions/") {
                guard try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true,
                    !["geojson", "webp", "svg"].contains(file.pathExtension), !file.path.contains("/.build/"),
                    let text = try? String(contentsOf: file, encoding: .utf8), text.contains("ecision")
                else { continue }
                texts.append(text)
            }
        }
        for path in ["README.md", "CONTRIBUTING.md", "Makefile", "Package.swift"] {
            texts.append(try Document(path).text)
        }
        return texts
    }

    @Test("Each decision is named by the code or the document that it explains, and each that is named exists")
    func named() throws {
        var named: Set<String> = []
        for text in try Self.texts() {
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
