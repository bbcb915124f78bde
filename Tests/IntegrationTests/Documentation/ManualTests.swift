import Foundation
import QuakeTestSupport
import Testing

@Suite("Man pages written by Scripts/write-manual", .endsInTime) struct ManualTests {
    @Test("Each command's man page lists exactly the command's options and exit statuses")
    func pagesOfCommands() async throws {
        let main = try ManualPage("quakes.1")
        var expected: Set<String> = ["quakes.1", "quakes-formats.5"]
        for command in try await CommandReference.built() where !command.name.isEmpty {
            expected.insert("quakes-\(command.name).1")
            let page = try ManualPage("quakes-\(command.name).1")
            #expect(main.plain.contains("quakes-\(command.name) 1"), "quakes \(command.name)")
            let terms = page.items(of: "OPTIONS").map(\.term).joined(separator: " ").split(separator: /[ ,]+/)
            #expect(Set(terms.filter { $0.hasPrefix("-") }.map(String.init)) == command.options, "\(command.name)")
            let options = Dictionary(page.items(of: "OPTIONS").map { ($0.term, $0.text) }, uniquingKeysWith: +)
            for text in command.summaries {
                #expect(options.values.contains { $0.hasPrefix(text) }, "quakes \(command.name): \(text)")
            }
            for example in command.discussion.components(separatedBy: "EXAMPLES:\n").last?.split(separator: "\n") ?? []
            {
                let isThere = page.section("EXAMPLES").contains(example.dropFirst(2) + "\n")
                #expect(isThere, "quakes \(command.name): \(example)")
            }
            let codes = try ExitCodeTable(all: [command.name]).commands.filter { $0.value.contains(command.name) }.map(
                \.key)
            let listed = page.items(of: "EXIT STATUS").map(\.term)
            // Any command can end with an unexpected error.
            #expect(Set(listed) == Set(codes).union(["1"]), "quakes \(command.name)")
        }
        #expect(try Set(FileManager.default.contentsOfDirectory(atPath: ManualPage.folder.path)) == expected)
    }

    @Test("The quakes-formats(5) man page lists every field in output.md") func formatsPage() throws {
        let page = try ManualPage("quakes-formats.5")
        let fields = Set(page.items(of: nil).map(\.term))
        let items = try OutputDocument().items
        #expect(items.count > 300)
        for item in items { #expect(fields.contains(item.names.joined(separator: ", ")), "\(item.names)") }
    }

    @Test("The quakes(1) man page lists every environment variable that the source code reads") func variables() throws
    {
        let sources = FileManager.default.enumerator(
            at: Fixture.projectDirectory.appending(path: "Sources"), includingPropertiesForKeys: nil)?
            .compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
        var names: Set<String> = []
        for source in sources ?? [] {
            let text = try String(contentsOf: source, encoding: .utf8)
            for match in text.matches(of: /variables?[(\[]"([A-Z_]+)"/) { names.insert(String(match.output.1)) }
        }
        #expect(names.count > 15)
        let terms = try ManualPage("quakes.1").items(of: "ENVIRONMENT").map(\.term).joined(separator: ", ")
        #expect(names.subtracting(terms.components(separatedBy: ", ")) == ["HOME"])
    }

    @Test(
        "The man pages equal those generated from the current help and documentation",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "needs python3"))
    func current() async throws {
        let script = Fixture.projectDirectory.appending(path: "Scripts/write-manual").path
        let result = try await ProcessRunner(path: "/usr/bin/python3")
            .run(script, BuiltProduct.path("quakes"), "--check")
        #expect(result.exitStatus == 0, "\(result.errorOutput)")
    }
}
