import Foundation
import QuakeTestSupport

/// A `console` block: commands, each on a line that starts with `$ `, and what each prints.
struct ConsoleSession {
    /// A command and the lines that stand below it.
    struct Step {
        var command: String
        var output: [String]
    }

    let steps: [Step]

    init(_ block: Document.Block) {
        var steps: [Step] = []
        // A variable that is set on a line by itself is known to the commands below.
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

/// A home of its own, in which documented commands run as a reader would run them: `quakes` on the path, the project as
/// the working directory.
struct ConsoleHome {
    private let shell: ProcessRunner
    private let terminal: ProcessRunner
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
        let size: [String: String?] = ["TERM": "xterm", "NO_COLOR": "1", "COLUMNS": "132", "LINES": "60"]
        terminal = ProcessRunner(path: "/usr/bin/script", environment: shell.environment.merging(size) { $1 })
    }

    /// Whether each of `programs` can be run.
    func has(_ programs: [String]) async throws -> Bool {
        try await shell.run("-c", "command -v true \(programs.joined(separator: " "))").exitStatus == 0
    }

    /// Whether the shell can read `script`. It is not run.
    func canParse(_ script: String) async throws -> Bool {
        try await shell.run("-n", "-c", script).exitStatus == 0
    }

    /// What `command` prints, line by line, its errors among it.
    func lines(of command: String) async throws -> [String] {
        lines(in: try await shell.run("-c", "cd \"$PROJECT\" && { \(command)\n} 2>&1"))
    }

    /// What `command` prints at a terminal of 132 columns, which script(1) plays.
    func linesAtTerminal(of command: String) async throws -> [String] {
        let result = try await terminal.run("-qec", "cd \"$PROJECT\" && { \(command)\n}", "/dev/null")
        return lines(in: result)
    }

    private func lines(in result: ProcessResult) -> [String] {
        let output = result.output.replacing("\r\n", with: "\n").replacing(home, with: "/home/you")
        var lines = output.components(separatedBy: "\n")
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }
}
