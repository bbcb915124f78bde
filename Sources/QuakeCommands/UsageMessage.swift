import ArgumentParser
import Glibc
import QuakeModel
import QuakeSystem

/// What the program says about a command line that it cannot understand, in the form of its other messages.
enum UsageMessage {
    /// The text for `error`. `command`: the one that found it, if that was not the parser.
    static func text(for error: any Error, of command: (any ParsableCommand.Type)? = nil) -> String {
        let text = (command ?? QuakesCommand.self).fullMessage(for: error)
        guard text.hasPrefix("Error: ") else { return text }
        let named = command ?? namedCommand(in: text)
        // What follows the message is the help of the option, the usage, and where to read more.
        let end = ["\nHelp:", "\nUsage:", "\n\nUsage:", "\n  See "].compactMap { text.firstRange(of: $0)?.lowerBound }
            .min()
        let message = String(text[..<(end ?? text.endIndex)].dropFirst("Error: ".count)).trimming(while: \.isNewline)
        let words = suggesting("quakes: \(naming(String(message)))", for: named)
        let isOpen = words.hasSuffix("'") || words.firstMatch(of: /^quakes: Unknown option '[^']*'\.$/) != nil
        guard isOpen else { return words }
        return
            "\(words)\(words.hasSuffix(".") ? "" : ".") See `quakes help\(named?.configuration.commandName.map { " \($0)" } ?? "")`."
    }

    /// `message` about a value with the option first: `--near 'Atlantis': No city …`.
    private static func naming(_ message: String) -> String {
        guard let match = message.firstMatch(of: #/^The value '([\s\S]*?)' is invalid for '(\S+?)( <[^']*>)?': /#)
        else {
            return message
        }
        return "\(match.output.2) '\(match.output.1)': \(message[match.range.upperBound...])"
    }

    /// The command that the line with the usage names.
    private static func namedCommand(in text: String) -> (any ParsableCommand.Type)? {
        guard let usage = text.split(separator: "\n").first(where: { $0.hasPrefix("Usage: quakes ") }) else {
            return nil
        }
        let name = usage.split(separator: " ").dropFirst(2).first
        return QuakesCommand.configuration.subcommands.first { $0.configuration.commandName == name.map(String.init) }
    }

    /// `text` with our own suggestion for an unknown option. ArgumentParser's are often far from what was typed.
    private static func suggesting(_ text: String, for command: (any ParsableCommand.Type)?) -> String {
        if let refused = text.firstMatch(of: /The value '([^']*)' is invalid for '(--?[a-z-]+)[^']*'\./),
            let ours = FamiliarName.value(refused.1, of: refused.2)
        {
            return text.replacing(refused.0, with: "\(refused.0) Did you mean \(ours)?", maxReplacements: 1)
        }
        if let command, let words = WrongWord.sentence(in: text, for: command) { return "quakes: \(words)" }
        guard let unknown = text.firstMatch(of: /Unknown option '(-[^']*)'(\. Did you mean '[^']*'\?)?/)
        else { return text }
        let name = String(unknown.1.prefix { $0 != "=" })
        guard let command else {
            guard let words = placing(name) else { return text }
            return text.replacing(unknown.0, with: words, maxReplacements: 1)
        }
        if let refusal = FilterRefusal.sentence(about: name, for: command) {
            return text.replacing(unknown.0, with: refusal, maxReplacements: 1)
        }
        let suggestion = FamiliarName.option(for: name, of: command).map { " Did you mean '\($0)'?" } ?? ""
        return text.replacing(unknown.0, with: "Unknown option '\(unknown.1)'.\(suggestion)", maxReplacements: 1)
    }

    /// Where `name`, which stands before any command, belongs; nil if no command has such an option.
    private static func placing(_ name: String) -> String? {
        let commands = [ListCommand.self] + QuakesCommand.configuration.subcommands
        let command = commands.first { FamiliarName.optionNames(of: $0).contains(name) }
        return command?.configuration.commandName.map {
            "The option '\(name)' goes after its command: `quakes \($0) \(name)`."
        }
    }

    /// `text` with the line breaks of `arguments` replaced, so that none looks like a line of ours, and addresses among
    /// them shortened.
    static func sanitized(_ text: String, arguments: some Sequence<String>) -> String {
        arguments.reduce(text) { text, argument in
            // An option's value follows an equals sign, and the message repeats it without the option.
            let value = argument.firstIndex(of: "=").map { String(argument[argument.index(after: $0)...]) }
            return [argument, value ?? ""].reduce(text) { text, part in
                let isAddress = WebAddress.mayHoldSecret(part)
                let shown = TerminalText.sanitized(isAddress ? WebAddress.shortened(part) : part)
                return isAddress || part.contains("\n") ? text.replacing(part, with: shown) : text
            }
        }
    }

    /// Writes the text for `error` on `stream`. `command`: the one that found it, if that was not the parser.
    static func write(_ error: any Error, of command: (any ParsableCommand.Type)? = nil, on stream: StandardStream) {
        let text = sanitized(text(for: error, of: command), arguments: ProgramArguments.words.dropFirst())
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) { stream.writeLine(String(line)) }
    }

    /// Ends the process with what ArgumentParser has to say: help, a version, or an error.
    static func exit(with error: any Error) -> Never {
        guard !(error is ExitCode), QuakesCommand.exitCode(for: error) == .validationFailure else {
            let text = QuakesCommand.fullMessage(for: error)
            if text.hasPrefix("OVERVIEW: "), !ProgramArguments.words.contains("--help-hidden") {
                print(HelpText.common(text))
                Glibc.exit(ExitStatus.success.rawValue)
            }
            QuakesCommand.exit(withError: error)
        }
        write(error, on: CommandEnvironment.process.standardError)
        Glibc.exit(ExitStatus.usage.rawValue)
    }
}

extension QuakesCommand {
    /// The error for a first word that names no command. ArgumentParser does not see it when `--help` follows.
    static func unknownCommand(in arguments: [String]) -> CommandError? {
        let names = configuration.subcommands.compactMap { $0.configuration.commandName }
        let words = arguments.first == "help" ? arguments.dropFirst() : arguments[...]
        guard let word = words.first, !word.hasPrefix("-"), word != "help", !names.contains(word) else { return nil }
        let named = TerminalText.sanitized(WebAddress.mayHoldSecret(word) ? WebAddress.shortened(word) : word)
        let near = names.first { $0.hasPrefix(word) && !word.isEmpty } ?? word.nearest(among: names)
        let rest = arguments.first == "help" ? [] : words.dropFirst().map { $0.shownWord }
        let familiar = FamiliarName.command(for: word)
        let suggestion = (familiar ?? near.map { "quakes \($0)" }).map { FamiliarName.line($0, with: rest) }
        return CommandError(
            "There is no command \"\(named)\".",
            suggestion.map { "Did you mean `\($0)`?" } ?? "`quakes --help` lists the commands.", .usage)
    }
}
