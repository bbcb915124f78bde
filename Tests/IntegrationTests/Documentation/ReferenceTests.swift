import Foundation
import QuakeTestSupport
import Testing

@Suite("What the reference leaves out", .timeLimit(.minutes(5)))
struct ReferenceTests {
    @Test("Every command has a heading in the reference, and one among the options with every option of it below")
    func options() async throws {
        let reference = try ReferenceSections(Document("Documentation/commands.md"))
        let options = try ReferenceSections(Document("Documentation/man/options.md"))
        for command in try await CommandReference.built() where !command.name.isEmpty {
            #expect(reference.text(of: command.name) != nil, "quakes \(command.name)")
            let section = options.text(of: command.name)
            for option in command.options {
                #expect(section?.contains("`\(option)") == true, "quakes \(command.name) \(option)")
            }
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
        for path in ["README.md", "Documentation/commands.md", "Documentation/man/options.md"] {
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

/// The sections of a document by command. A section has those that it links to within the document, too.
private struct ReferenceSections {
    private var sections: [String: String] = [:]

    init(_ document: Document) {
        for section in document.text.components(separatedBy: "\n## ").dropFirst() {
            let title = String(section.prefix { $0 != "\n" })
            sections[title.replacing("`", with: "").replacing("quakes ", with: "")] = String(section)
        }
    }

    func text(of command: String) -> String? {
        guard let section = sections[command] else { return nil }
        let linked = sections.filter { title, _ in
            section.contains("(#\(title.lowercased().replacing(" ", with: "-")))")
        }
        return section + linked.values.joined()
    }
}
