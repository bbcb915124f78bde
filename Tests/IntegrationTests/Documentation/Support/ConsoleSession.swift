import Foundation
import QuakeTestSupport

/// A `console` block: commands, each on a line that starts with `$ `, and the output of each.
struct ConsoleSession {
    /// A command and the lines below it.
    struct Step {
        var command: String
        var output: [String]
    }

    let steps: [Step]

    init(_ block: Document.Block) {
        var steps: [Step] = []
        // A variable set on a separate line is available to the commands below.
        var variables = ""
        for line in block.lines {
            if line.hasPrefix("$ "), line.dropFirst(2).prefixMatch(of: /[a-z]+=/) != nil {
                variables += line.dropFirst(2) + "\n"
            } else if line.hasPrefix("$ ") {
                steps.append(Step(command: variables + line.dropFirst(2), output: []))
            } else if !steps.isEmpty {
                steps[steps.count - 1].output.append(String(line))
            }
        }
        self.steps = steps
    }
}

/// A separate home in which documented commands run as a reader would run them: `quakes` is in the path, and the
/// project is the working directory.
struct ConsoleHome {
    private let shell: ProcessRunner
    private let home: String

    init(_ directory: ScratchDirectory) throws {
        home = directory.url.path
        let built = URL(filePath: BuiltProduct.path("quakes")).deletingLastPathComponent().path
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        shell = ProcessRunner(
            path: "/bin/sh",
            environment: [
                "HOME": home, "PATH": "\(built):\(path)", "QUAKES_DB": "\(home)/.local/share/quakes/quakes.db",
                "PROJECT": Fixture.projectDirectory.path, "LC_ALL": "C.UTF-8", "COLUMNS": nil, "LINES": nil,
            ])
    }

    /// Whether each of `programs` can be run.
    func has(_ programs: [String]) async throws -> Bool {
        try await shell.run("-c", "command -v true \(programs.joined(separator: " "))").exitStatus == 0
    }

    /// Whether the shell can parse `script`, without running it.
    func canParse(_ script: String) async throws -> Bool {
        try await shell.run("-n", "-c", script).exitStatus == 0
    }

    /// The output and errors of `command`, line by line.
    func lines(of command: String) async throws -> [String] {
        lines(in: try await shell.run("-c", "cd \"$PROJECT\" && { \(command)\n} 2>&1"))
    }

    private func lines(in result: ProcessResult) -> [String] {
        let output = result.output.replacing("\r\n", with: "\n").replacing(home, with: "/home/you")
        var lines = output.components(separatedBy: "\n")
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }
}
