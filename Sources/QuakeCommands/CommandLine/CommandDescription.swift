import ArgumentParser
import FoundationEssentials

/// A command's arguments, as ArgumentParser describes them to other programs.
struct CommandDescription: Decodable {
    struct Argument: Decodable {
        struct Name: Decodable {
            let kind: String
            let name: String

            var word: String { kind == "short" ? "-\(name)" : "--\(name)" }
        }

        let kind: String
        let isRepeating: Bool
        let parsingStrategy: String
        let names: [Name]?
        let preferredName: Name?
        let valueName: String?
        /// The only words that the option accepts; nil if it accepts others.
        let allValues: [String]?

        /// The name used in messages.
        var name: String { preferredName?.word ?? "" }
        /// Whether the value is a comma-separated list.
        var isList: Bool { valueName?.hasSuffix(",…") == true }

        /// Removes the option's value from the front of `words`, the words after the option, and returns it; nil if
        /// there is no value.
        func takeValue(from words: inout ArraySlice<String>) -> String? {
            guard kind == "option" else { return nil }
            guard parsingStrategy == "unconditional" || words.first?.hasPrefix("-") == false else { return nil }
            return words.popFirst()
        }
    }

    private struct Command: Decodable {
        let arguments: [Argument]?
    }

    private let command: Command

    init(_ type: any ParsableCommand.Type) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(type._dumpHelp().utf8))
    }

    var arguments: [Argument] { command.arguments ?? [] }

    /// Whether the command takes positional arguments.
    var takesArguments: Bool { arguments.contains { $0.kind == "positional" } }

    /// The names of all options and flags, with their dashes.
    var optionNames: [String] { arguments.flatMap { ($0.names ?? []).map(\.word) } }

    /// Whether the command has the option or the positional argument `name`, such as `--since`, `-m` or `<id>`.
    func has(_ name: String) -> Bool {
        optionNames.contains(name)
            || arguments.contains { $0.kind == "positional" && "<\($0.valueName ?? "")>" == name }
    }

    /// Returns the option or flag that `word` names, and the value attached to it, as in `--limit=3` or `-l3`; nil if
    /// there is no such option.
    func find(_ word: String) -> (option: Argument, value: String?)? {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        for option in arguments {
            for name in option.names ?? [] {
                if name.word == parts[0] { return (option, parts.count > 1 ? parts[1] : nil) }
                if name.kind == "short", option.kind == "option", word.hasPrefix(name.word), !word.hasPrefix("--") {
                    return (option, String(word.dropFirst(name.word.count)))
                }
            }
        }
        return nil
    }
}
