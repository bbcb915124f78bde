import Foundation
import QuakeTestSupport
import Testing

/// The code in the documents is code of the client package, which is compiled and run.
@Suite("The listings of the documents")
struct ListingTests {
    /// Articles whose code is that of the test `ArticleExamples`.
    private let checkedElsewhere: Set = ["KeepingACopy.md", "FollowingChanges.md", "ReadingThePast.md"]

    @Test("Every listing of the articles is code of the client package")
    func articles() throws {
        let sources = try ClientSources()
        var count = 0
        for path in try SourceTree.paths(below: "Sources", endingIn: ".md") {
            guard let name = path.split(separator: "/").last, !checkedElsewhere.contains(String(name)) else { continue }
            for block in try Document(path).blocks where block.language == "swift" {
                #expect(sources.contain(block.lines), "\(path): \(block.lines.first ?? "")")
                count += 1
            }
        }
        #expect(count > 25)
    }

    @Test("The program in the README is the client's, as a whole")
    func readme() throws {
        let program = try Document("Tests/ClientPackage/Sources/refresh-and-list/main.swift").text
        let blocks = try Document("README.md").blocks.filter { $0.language == "swift" }
        #expect(blocks.count == 1)
        #expect(blocks.first.map { $0.lines.joined(separator: "\n") + "\n" } == program)
    }
}

/// The code of the client package, without regard to indentation.
private struct ClientSources {
    private let texts: [String]

    init() throws {
        texts = try SourceTree.paths(below: "Tests/ClientPackage", endingIn: ".swift").map {
            ClientSources.plain(try Document($0).text.split(separator: "\n", omittingEmptySubsequences: false))
        }
    }

    /// Whether the lines stand in one source, one behind the other.
    func contain(_ lines: [Substring]) -> Bool {
        texts.contains { $0.contains(ClientSources.plain(lines)) }
    }

    private static func plain(_ lines: [Substring]) -> String {
        "\n" + lines.map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n") + "\n"
    }
}
