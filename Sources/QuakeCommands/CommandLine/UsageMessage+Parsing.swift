import ArgumentParser
import Glibc

/// The message about a command line that cannot be parsed, in the form of the program's other messages.
extension UsageMessage {
    /// Returns the message for `error`, which ArgumentParser found in `words`.
    static func text(for error: any Error, in words: [String]) -> String {
        let message = QuakesCommand.message(for: error)
        let words = (try? FamiliarWords.replaced(in: words)) ?? words
        let command = words.first.flatMap(QuakesCommand.named)
        if let command, let text = text(forUnknownWord: message, in: command) { return "quakes: \(text)" }
        if let text = text(forInvalidValue: message) { return "quakes: \(text)" }
        // This program's messages end with a period or question mark; those of ArgumentParser do not.
        if message.hasSuffix(".") || message.hasSuffix("?") { return "quakes: \(message)" }
        let name = command?.configuration.commandName.map { " \($0)" } ?? ""
        return "quakes: \(message)\(message.contains("\n") ? "\n" : ". ")See `quakes help\(name)`."
    }

    /// Returns the text that replaces the parser's `message` about an option or argument that `command` does not have;
    /// nil for other messages.
    private static func text(forUnknownWord message: String, in command: any ParsableCommand.Type) -> String? {
        let pattern = /(Unknown option|Unexpected argument|[0-9]+ unexpected arguments:) '(.*?)'(?s:.*)/
        guard let found = message.wholeMatch(of: pattern), let description = try? CommandDescription(command) else {
            return nil
        }
        let name = command.configuration.commandName ?? ""
        let word = String(found.output.2)
        if found.output.1 == "Unknown option" {
            let nearest = nearestOption(
                to: word, among: description.optionNames, isPurge: name == "purge")
            return "There is no \(word.shownWord) in `\(name)`. "
                + (nearest.map { "Did you mean \($0)?" } ?? "`quakes help \(name)` lists the options.")
        }
        guard !description.takesArguments else { return nil }
        let example = command is any FilteringCommand.Type ? ", such as --region Japan or --min-mag 5" : ""
        return
            "\(word.shownWord) is not an option, and `\(name)` takes only options\(example). A value with spaces needs "
            + "quotes."
    }

    /// Returns the text that replaces the parser's `message` about a value that an option does not accept; nil for
    /// other messages.
    private static func text(forInvalidValue message: String) -> String? {
        if let found = message.wholeMatch(of: /The value '(.*)' is invalid for '(-[-a-z]+) <(?:count|number)>'/) {
            return "\(String(found.output.1).shownWord) is not a value of \(found.output.2). Write a whole number."
        }
        let pattern = /The value '(.*)' is invalid for '(-[-a-z]+)[^']*'\. Please provide one of (?s:(.+))/
        guard let found = message.wholeMatch(of: pattern) else { return nil }
        let words = found.output.3.matches(of: /'([^']+)'|  - (.+)/).map { $0.output.1 ?? $0.output.2 ?? "" }
        return "\(String(found.output.1).shownWord) is not a value of \(found.output.2). "
            + "The values are \(words.joined(separator: ", "))."
    }

    /// Returns the option that `word` most likely means. For `purge`, which deletes quakes, at most one letter may be
    /// wrong.
    private static func nearestOption(to word: String, among names: [String], isPurge: Bool) -> String? {
        guard word.hasPrefix("--") else { return nil }
        let long = names.filter { $0.hasPrefix("--") }.map { String($0.dropFirst(2)) }
        let typed = String(word.dropFirst(2))
        return typed.nearest(among: long, mistakes: isPurge ? 1 : .max).map { "--" + $0 }
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
        if MonitorAnswer.isDue(for: words) {
            let answer = MonitorAnswer(mistake: sanitized(String(text.dropFirst("quakes: ".count)), arguments: words))
            Glibc.exit(answer.write(to: CommandEnvironment.process.standardOutput).rawValue)
        }
        write(text, on: stream)
        Glibc.exit(ExitStatus.usage.rawValue)
    }
}
