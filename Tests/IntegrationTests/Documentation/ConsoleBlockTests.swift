import QuakeTestSupport
import Testing

@Suite("Commands shown in documents", .endsInTime, .scratch) struct ConsoleBlockTests {
    static let documents = [
        "README.md", "Documentation/tutorial.md", "Documentation/commands.md", "Documentation/recipes/shell.md",
        "Documentation/failover.md",
    ]

    @Test("Commands in the documentation's console examples print the output shown there", arguments: documents)
    func consoleBlocks(path: String) async throws {
        let blocks = try Document(path).blocks.filter { $0.language == "console" }
        #expect(!blocks.isEmpty)
        let scratch = try ScratchDirectory.ofTest()
        let home = try ConsoleHome(scratch)
        for block in blocks {
            guard try await home.has(block.neededPrograms) else { continue }
            for step in ConsoleSession(block).steps {
                let printed = try await home.lines(of: step.command)
                #expect(
                    OutputPattern.matches(printed, step.output),
                    "\(path): $ \(step.command)\n\(printed.joined(separator: "\n"))")
            }
        }
    }

    @Test("Each shell script in the documentation has valid syntax", arguments: documents)
    func scriptSyntax(path: String) async throws {
        let scratch = try ScratchDirectory.ofTest()
        let home = try ConsoleHome(scratch)
        for block in try Document(path).blocks where block.language == "sh" {
            let script = block.lines.joined(separator: "\n")
            #expect(try await home.canParse(script), "\(script)")
        }
    }

    @Test("Every option that the documentation's example commands use exists", arguments: documents)
    func scriptOptions(path: String) async throws {
        let commands = try await CommandReference.built()
        for block in try Document(path).blocks where ["sh", "console", "crontab"].contains(block.language) {
            for call in QuakesCall.all(in: block) {
                let command = commands.first { $0.name == call.command }
                #expect(command != nil || call.command.hasPrefix("-"), "\(call.line)")
                let known = command?.options ?? ["--help", "--version"]
                #expect(call.options.subtracting(known).isEmpty, "\(call.line)")
            }
        }
    }
}
