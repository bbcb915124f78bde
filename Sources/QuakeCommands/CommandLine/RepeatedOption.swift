import ArgumentParser
import FoundationEssentials
import QuakeModel

/// Finds an option that takes one value but was given two different ones, of which ArgumentParser would use the last.
enum RepeatedOption {
    /// Throws a usage error if `words` give such an option of `command` two values.
    static func reject(in words: some Collection<String>, of command: any ParsableCommand.Type) throws {
        // Describing a command takes longer than parsing it, so most lines must do without.
        let names = words.filter { $0.hasPrefix("-") && $0.utf8.count > 1 }.map { $0.prefix { $0 != "=" } }
        let isSuspicious = Set(names).count < names.count || names.count > 1 && names.contains { !$0.hasPrefix("--") }
        guard isSuspicious else { return }
        let options = try CommandDescription(command).options
        var values: [String: String] = [:]
        var rest = Array(words.prefix { $0 != "--" })[...]
        while let word = rest.popFirst() {
            guard let (option, joined) = options.find(word) else { continue }
            guard let value = joined ?? option.takeValue(from: &rest), !option.isRepeating else { continue }
            guard let former = values.updateValue(value, forKey: option.name), former != value else { continue }
            let advice = option.isList ? "separate its values with commas" : "it takes one value"
            throw ValidationError(
                "\(option.name) is given twice, with \(former.shownWord) and \(value.shownWord); \(advice).")
        }
    }
}

/// The options of a command, as ArgumentParser describes them to other programs.
struct CommandDescription: Decodable {
    struct Option: Decodable {
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

        /// The name used in messages.
        var name: String { preferredName?.word ?? "" }
        /// Whether a value is a list separated by commas.
        var isList: Bool { valueName?.hasSuffix(",…") == true }

        /// Removes the option's value from the words after the option, unless there is none.
        fileprivate func takeValue(from words: inout ArraySlice<String>) -> String? {
            guard parsingStrategy == "unconditional" || words.first?.hasPrefix("-") == false else { return nil }
            return words.popFirst()
        }
    }

    private struct Command: Decodable {
        let arguments: [Option]?
    }

    private let command: Command

    /// The options that take a value.
    var options: [Option] { command.arguments?.filter { $0.kind == "option" } ?? [] }

    init(_ type: any ParsableCommand.Type) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(type._dumpHelp().utf8))
    }
}

extension [CommandDescription.Option] {
    /// Returns the option that `word` names, and the value joined to it, as in `--limit=3` or `-l3`.
    fileprivate func find(_ word: String) -> (option: Element, value: String?)? {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        for option in self {
            for name in option.names ?? [] {
                if name.word == parts[0] { return (option, parts.count > 1 ? parts[1] : nil) }
                if name.kind == "short", word.hasPrefix(name.word), !word.hasPrefix("--") {
                    return (option, String(word.dropFirst(name.word.count)))
                }
            }
        }
        return nil
    }
}
