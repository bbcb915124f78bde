import ArgumentParser
import Glibc

/// The message about a command line that cannot be parsed, in the form of the program's other messages.
extension UsageMessage {
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
