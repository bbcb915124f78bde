import ArgumentParser
import Glibc
import QuakeModel
import QuakeSystem

/// The message about a command line that cannot be parsed, in the form of the program's other messages.
enum UsageMessage {
    /// Returns the text for `error`, which ArgumentParser found in `words`.
    static func text(for error: any Error, in words: [String]) -> String {
        let message = QuakesCommand.message(for: error)
        if !message.contains("`quakes "), let correction = Correction.of(words) {
            guard correction.line != nil else { return "quakes: \(correction.text)" }
            let isUnknown = message.contains("nknown option") || message.contains("nexpected argument")
            let what = isUnknown ? "There is no \(correction.wrong.shownWord) here" : message.firstSentences
            return "quakes: \(what). \(correction.text)"
        }
        // Our messages end with a period; those of ArgumentParser do not.
        if message.hasSuffix(".") || message.hasSuffix("?") { return "quakes: \(message)" }
        let command = words.first.flatMap(QuakesCommand.named)?.configuration.commandName.map { " \($0)" } ?? ""
        return "quakes: \(message)\(message.contains("\n") ? "\n" : ". ")See `quakes help\(command)`."
    }

    /// Returns `text` with line breaks in `arguments` replaced, so that no argument can imitate our own lines, and with
    /// URLs among the arguments shortened.
    static func sanitized(_ text: String, arguments: some Sequence<String>) -> String {
        arguments.reduce(text) { text, argument in
            // An option's value may follow an equals sign, and the message repeats the value without the option.
            let value = argument.firstIndex(of: "=").map { String(argument[argument.index(after: $0)...]) }
            return [argument, value ?? ""].reduce(text) { text, part in
                let isAddress = WebAddress.mayHoldSecret(part)
                let shown = TerminalText.sanitized(isAddress ? WebAddress.shortened(part) : part)
                return isAddress || part.contains("\n") ? text.replacing(part, with: shown) : text
            }
        }
    }

    /// Writes `text` about this process's command line to `stream`.
    static func write(_ text: String, on stream: StandardStream) {
        let text = sanitized(text, arguments: CommandLine.arguments.dropFirst())
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) { stream.writeLine(String(line)) }
    }

    /// Ends the process with the response to `words`: help, the version, or an error.
    static func exit(with error: any Error, in words: [String]) -> Never {
        let stream = CommandEnvironment.process.standardError
        if let error = error as? CommandError {
            error.print(on: stream)
            Glibc.exit(error.status.rawValue)
        }
        guard !(error is ExitCode), QuakesCommand.exitCode(for: error) == .validationFailure else {
            QuakesCommand.exit(withError: error)
        }
        write(text(for: error, in: words), on: stream)
        Glibc.exit(ExitStatus.usage.rawValue)
    }
}

extension String {
    /// This ArgumentParser message without the list of values at its end and without a final period.
    fileprivate var firstSentences: Substring {
        let text = firstMatch(of: /(.+?>')(?:\. Please provide|: )/)?.output.1 ?? self[...]
        return text.last == "." ? text.dropLast() : text
    }
}
