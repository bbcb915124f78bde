import Foundation
import QuakeTestSupport
import Testing

/// The articles' code is that of ``ArticleExamples``, which is compiled and run.
@Suite struct ArticleTests {
    @Test(arguments: ["KeepingACopy", "FollowingChanges", "ReadingThePast"])
    func everyBlockOfCodeIsCompiledAndRun(article: String) throws {
        let text = try source("Sources/QuakeStore/QuakeStore.docc/\(article).md")
        let blocks = text.components(separatedBy: "```").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
        let compiled = try source("Tests/QuakeStoreTests/Articles/ArticleExamples.swift")
            .components(separatedBy: "// \(article)\n").dropFirst()
        #expect(!blocks.isEmpty)
        #expect(blocks.count == compiled.count)
        for (block, code) in zip(blocks, compiled) {
            #expect(block.hasPrefix("swift\n"))
            let wanted = block.dropFirst("swift\n".count).split(separator: "\n", omittingEmptySubsequences: false)
                .map { $0.isEmpty ? "" : String(repeating: " ", count: 12) + $0 }.joined(separator: "\n")
            #expect(code.hasPrefix(wanted), "\(article): \(block.prefix(80))")
        }
    }

    private func source(_ path: String) throws -> String {
        try String(contentsOf: Fixture.projectDirectory.appending(path: path), encoding: .utf8)
    }
}
