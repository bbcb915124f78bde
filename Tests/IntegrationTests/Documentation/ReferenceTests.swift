import Foundation
import QuakeTestSupport
import Testing

@Suite("What the reference leaves out", .timeLimit(.minutes(5)))
struct ReferenceTests {
    @Test("Every command has a heading in the reference")
    func headings() async throws {
        let lines = try Document("Documentation/commands.md").text.split(separator: "\n")
        for command in try await CommandReference.built() where !command.name.isEmpty {
            #expect(lines.contains("## quakes \(command.name)"), "quakes \(command.name)")
        }
    }

    @Test("No name stands for two options of a command")
    func names() async throws {
        for command in try await CommandReference.built() {
            #expect(command.repeatedOptions == [], "quakes \(command.name)")
        }
    }

    @Test("No option is described that does not exist")
    func inventedOptions() async throws {
        let all = try await CommandReference.built().reduce(into: Set<String>()) { $0.formUnion($1.options) }
        for path in ["README.md", "Documentation/commands.md"] {
            for match in try Document(path).text.matches(of: /`(--[a-z-]+)/) {
                let option = String(match.output.1)
                let isParsers = ["--generate-completion-script", "--help-hidden"].contains(option)
                #expect(all.contains(option) || isParsers, "\(path): \(option)")
            }
        }
    }

    @Test("Every command stands in the README's table")
    func commandTable() async throws {
        let firstCells = try Document("README.md").tableRows.map { $0[0] }
        for command in try await CommandReference.built() where !command.name.isEmpty {
            #expect(
                firstCells.contains { $0.hasPrefix("`quakes \(command.name)") }, "quakes \(command.name)")
        }
    }

    @Test("Every command's help shows examples")
    func examples() async throws {
        for command in try await CommandReference.built() {
            #expect(command.discussion.contains("EXAMPLES:"), "quakes \(command.name)")
        }
    }
}
