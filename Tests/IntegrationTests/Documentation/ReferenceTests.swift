import Foundation
import QuakeTestSupport
import Testing

@Suite("Options and commands in the documents", .endsInTime) struct ReferenceTests {
    @Test("Each command has help examples, a heading in commands.md and a row in the README")
    func commandsAreDocumented() async throws {
        let lines = try Document("Documentation/commands.md").text.split(separator: "\n")
        // A heading may name several commands: "## quakes diff, history and token".
        let headings = lines.filter { $0.hasPrefix("## quakes ") }.map { $0.split { !$0.isLetter } }
        let firstCells = try Document("README.md").tableRows.map { $0[0] }
        for command in try await CommandReference.built() {
            #expect(command.repeatedOptions == [], "quakes \(command.name)")
            #expect(command.discussion.contains("EXAMPLES:"), "quakes \(command.name)")
            guard !command.name.isEmpty else { continue }
            #expect(headings.contains { $0.contains(Substring(command.name)) }, "quakes \(command.name)")
            #expect(firstCells.contains { $0.hasPrefix("`quakes \(command.name)") }, "quakes \(command.name)")
        }
    }

    @Test("Every option mentioned in the README or commands.md exists") func mentionedOptionsExist() async throws {
        let all = try await CommandReference.built().reduce(into: Set<String>()) { $0.formUnion($1.options) }
        for path in ["README.md", "Documentation/commands.md"] {
            let sections = try Document(path).text.split(separator: "\n## ").filter { !$0.hasPrefix("Other spellings") }
            for match in sections.flatMap({ $0.matches(of: /`(--[a-z-]+)/) }) {
                let option = String(match.output.1)
                let isParsers = ["--generate-completion-script", "--help-hidden"].contains(option)
                #expect(all.contains(option) || isParsers, "\(path): \(option)")
            }
        }
    }
}
