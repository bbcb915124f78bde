import Foundation
import QuakeTestSupport

/// A command as described by the built program's `--experimental-dump-help`.
struct CommandReference {
    /// The words after `quakes`; empty for the program itself.
    var name: String
    /// The `--long` and `-s` names of all its options.
    var options: Set<String>
    /// Names shared by two of its options.
    var repeatedOptions: [String] = []
    /// The help text of each argument and option.
    var summaries: [String] = []
    /// The examples and other help before the list of options.
    var discussion: String

    /// Every command of the built program.
    static func built() async throws -> [CommandReference] {
        let dump = try await ProcessRunner().run("--experimental-dump-help").standardOutput
        let tool = try JSONDecoder().decode(Dump.self, from: dump)
        return tool.command.flattened(below: [])
    }
}

private struct Dump: Decodable {
    struct Command: Decodable {
        var commandName: String
        var discussion: String?
        var arguments: [Argument]?
        var subcommands: [Command]?

        func flattened(below parents: [String]) -> [CommandReference] {
            let names = (arguments ?? []).flatMap { $0.names ?? [] }
            let options = names.map { $0.kind == "short" ? "-\($0.name)" : "--\($0.name)" }
            let own = CommandReference(
                name: parents.joined(separator: " "), options: Set(options),
                repeatedOptions: Dictionary(grouping: options) { $0 }.filter { $1.count > 1 }.keys.sorted(),
                summaries: (arguments ?? []).compactMap(\.abstract).map {
                    $0.replacing("…", with: "...").replacing("`", with: "")
                },
                discussion: discussion ?? "")
            return [own]
                + (subcommands ?? []).filter { $0.commandName != "help" }.flatMap {
                    $0.flattened(below: parents + [$0.commandName])
                }
        }
    }

    struct Argument: Decodable {
        var names: [Name]?
        var abstract: String?
    }

    struct Name: Decodable {
        var kind: String
        var name: String
    }

    var command: Command
}

/// A `quakes` command in a script.
struct QuakesCall {
    var line: String
    var command: String
    var options: Set<String>

    /// Returns the `quakes` commands in `block`, except in comments and quoted text.
    static func all(in block: Document.Block) -> [QuakesCall] {
        block.lines.filter { block.language != "console" || $0.hasPrefix("$ ") }.flatMap { line -> [QuakesCall] in
            let code = line.prefix { $0 != "#" }.replacing(/'[^']*'|"[^"]*"/, with: "x")
            return code.split(separator: /[|&;()]+/).compactMap { part in
                var words = part.split(separator: " ")
                guard let start = words.firstIndex(of: "quakes"), start + 1 < words.count else { return nil }
                // A command stands at the start, after a prompt or after cron's times; anything else is a path, a user
                // or printed output.
                guard words[..<start].allSatisfy({ $0 == "$" || $0.contains("*") }) else { return nil }
                words.removeFirst(start + 1)
                let options = words.filter { $0.contains(/^--?[a-z]/) }.map { String($0.prefix { $0 != "=" }) }
                return QuakesCall(line: String(line), command: String(words[0]), options: Set(options))
            }
        }
    }
}
