import ArgumentParser
import Glibc

/// The message about a command line that cannot be parsed, in the form of the program's other messages.
extension UsageMessage {
    /// Returns the message for `error`, which ArgumentParser found in `words`.
    static func text(for error: any Error, in words: [String]) -> String {
        let message = QuakesCommand.message(for: error)
        let words = (try? ForeignNameReplacer.replaced(in: words)) ?? words
        let command = words.first.flatMap(QuakesCommand.named)
        if let command, let text = text(for: message, of: command, in: words) { return "quakes: \(text)" }
        if message.hasPrefix("Unknown option"), !words.contains(where: { QuakesCommand.named($0) != nil }) {
            return "quakes: \(textWithoutCommand(words))"
        }
        // Our messages end with a period; those of ArgumentParser do not.
        if message.hasSuffix(".") || message.hasSuffix("?") { return "quakes: \(message)" }
        let name = command?.configuration.commandName.map { " \($0)" } ?? ""
        return "quakes: \(message)\(message.contains("\n") ? "\n" : ". ")See `quakes help\(name)`."
    }

    /// Returns the text for `words`, a command line with options but without a command. The text is about the first
    /// misspelled option, if any.
    private static func textWithoutCommand(_ words: [String]) -> String {
        let commands = QuakesCommand.configuration.subcommands.compactMap { try? CommandDescription($0) }
        let names = Set(commands.flatMap(\.optionNames) + ["--version", "--help"])
        let typed = words.map { String($0.prefix { $0 != "=" }) }
        guard let option = typed.first(where: { $0.hasPrefix("--") && !names.contains($0) }),
            let nearest = nearestOption(to: option, among: Array(names), isPurge: false)
        else { return "No command was given. `quakes help` lists the commands." }
        return "There is no option \(option.shownWord). Did you mean \(nearest)?"
    }

    /// Returns the text for a `message` about `words`, the command line of `command`; nil to keep ArgumentParser's.
    private static func text(
        for message: String, of command: any ParsableCommand.Type, in words: [String]
    ) -> String? {
        guard let description = try? CommandDescription(command) else { return nil }
        let name = command.configuration.commandName ?? ""
        // -m may be joined to its value, so -min-mag is the magnitude "in-mag".
        let names = words.filter { !$0.hasPrefix("--") }.map { word in "-" + String(word.prefix { $0 != "=" }) }
        let options = description.optionNames.filter { $0.hasPrefix("--") }
        if let option = names.first(where: { options.contains($0) }) {
            return "`\(name)` has no option \(option.dropFirst()). Did you mean \(option)?"
        }
        let option = message.wholeMatch(of: /Missing value for '(-[-a-z]+)(?: <(?:age|count|duration)>)?'/)?.output.1
        if let option, zip(words, words.dropFirst()).contains(where: { $0 == option && $1.contains(/^-[0-9]/) }) {
            return "\(option) cannot be negative."
        }
        return text(forUnknownWord: message, of: command, description, in: words)
            ?? text(forInvalidValue: message, description)
    }

    /// Returns the text for a `message` about an option or argument that `command` does not have; nil for other
    /// messages.
    private static func text(
        forUnknownWord message: String, of command: any ParsableCommand.Type, _ description: CommandDescription,
        in words: [String]
    ) -> String? {
        let pattern = /(Unknown option|Unexpected argument|[0-9]+ unexpected arguments:) '(.*?)'(?s:.*)/
        guard let found = message.wholeMatch(of: pattern) else { return nil }
        let name = command.configuration.commandName ?? ""
        let word = String(found.output.2)
        if found.output.1 == "Unknown option" {
            let nearest = nearestOption(
                to: word, among: description.optionNames, isPurge: name == "purge")
            return "`\(name)` has no option \(word.shownWord). "
                + (nearest.map { "Did you mean \($0)?" } ?? "`quakes help \(name)` lists the options.")
        }
        guard !description.takesArguments else { return nil }
        // Word processors and web pages replace hyphens with dashes.
        if let dash = ["–": "an en dash", "—": "an em dash", "−": "a minus sign"][word.prefix(1)] {
            let option = "--" + String(word.dropFirst().prefix { $0 != "=" })
            if description.optionNames.contains(option) {
                return "\(word.shownWord) begins with \(dash). Write \(option) with two hyphens."
            }
        }
        let example = command is any FilteringCommand.Type ? ", such as --region Japan or --min-mag 5" : ""
        let before = words.firstIndex(of: word).map { words[..<$0] } ?? []
        if let before = before.last, let option = description.find(before)?.option, option.kind == "flag" {
            return "\(before) takes no value, and `\(name)` takes only options\(example)."
        }
        let advice = before.contains { $0.hasPrefix("-") } ? " A value with spaces needs quotes." : ""
        return "\(word.shownWord) is not an option, and `\(name)` takes only options\(example).\(advice)"
    }

    /// Returns the text for a `message` about an invalid value of an option that takes one of several words or a whole
    /// number; nil for other messages. For hidden options, ArgumentParser does not list the words.
    private static func text(forInvalidValue message: String, _ description: CommandDescription) -> String? {
        let pattern = /The value '(.*)' is invalid for '(-[-a-z]+)[^']*'(?:\. Please provide one of (?s:.+))?/
        guard let found = message.wholeMatch(of: pattern),
            let option = description.find(String(found.output.2))?.option
        else { return nil }
        let (value, name) = (String(found.output.1), found.output.2)
        let refusal = "\(value.shownWord) is not a valid value for \(name)."
        if let words = option.allValues {
            let order = name == "--sort" ? "; to reverse the order, add -asc, as in mag-asc" : ""
            return "\(refusal) The values are \(words.joined(separator: ", "))\(order)."
        }
        guard ["count", "number"].contains(option.valueName) else { return nil }
        if value.wholeMatch(of: /[0-9]+/) != nil { return "\(value) is too large for \(name)." }
        guard value.wholeMatch(of: /[0-9]{1,3}(?:,[0-9]{3})+/) != nil else { return "\(refusal) Write a whole number." }
        return "\(refusal) Write it without commas: \(value.replacing(",", with: ""))."
    }

    /// Returns the option that `word` most likely means. For `purge`, which deletes quakes, at most one letter may be
    /// wrong.
    private static func nearestOption(to word: String, among names: [String], isPurge: Bool) -> String? {
        guard word.hasPrefix("--") else { return nil }
        let long = names.filter { $0.hasPrefix("--") }.map { String($0.dropFirst(2)) }
        let typed = String(word.dropFirst(2))
        if let own = typed.nearest(among: long, mistakes: isPurge ? 1 : .max) { return "--" + own }
        let others = AlternativeSpellings.options.keys.map { String($0.dropFirst(2)) }
        guard !isPurge, let other = typed.nearest(among: others) else { return nil }
        return AlternativeSpellings.options["--" + other]?.map { $0[0] }.first { names.contains($0) }
    }

    /// Ends the process with the response to `words`: help, the version, or an error.
    static func exit(with error: any Error, in words: [String]) -> Never {
        let stream = CommandEnvironment.process.standardError
        if let error = error as? CommandError {
            error.print(on: stream)
            Glibc.exit(error.status.rawValue)
        }
        if !(error is ExitCode), QuakesCommand.exitCode(for: error) == .success {
            print(HelpText.printed(QuakesCommand.fullMessage(for: error)))
            Glibc.exit(ExitStatus.success.rawValue)
        }
        guard !(error is ExitCode), QuakesCommand.exitCode(for: error) == .validationFailure else {
            QuakesCommand.exit(withError: error)
        }
        let text = text(for: error, in: words)
        if MonitorAnswer.isRequired(byArguments: words) {
            let answer = MonitorAnswer(mistake: sanitized(String(text.dropFirst("quakes: ".count)), arguments: words))
            Glibc.exit(answer.write(to: CommandEnvironment.process.standardOutput).rawValue)
        }
        write(text, on: stream)
        Glibc.exit(ExitStatus.usage.rawValue)
    }
}
