import ArgumentParser
import Glibc
import QuakeModel
import QuakeSystem

/// What the program says about a command line that it cannot understand, in the form of its other messages.
enum UsageMessage {
    /// The text for `error`, which ArgumentParser found in `words`.
    static func text(for error: any Error, in words: [String]) -> String {
        let message = QuakesCommand.message(for: error)
        if !message.contains("`quakes "), let correction = Correction.of(words) {
            guard correction.line != nil else { return "quakes: \(correction.text)" }
            let isUnknown = message.contains("nknown option") || message.contains("nexpected argument")
            let what = isUnknown ? "There is no \(correction.wrong.shownWord) here" : message.firstSentences
            return "quakes: \(what). \(correction.text)"
        }
        // Sentences of ours end with a full stop, those of ArgumentParser do not.
        if message.hasSuffix(".") || message.hasSuffix("?") { return "quakes: \(message)" }
        let command = words.first.flatMap(QuakesCommand.named)?.configuration.commandName.map { " \($0)" } ?? ""
        return "quakes: \(message). See `quakes help\(command)`."
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

    /// Writes `text` about the command line of this process on `stream`.
    static func write(_ text: String, on stream: StandardStream) {
        let text = sanitized(text, arguments: CommandLine.arguments.dropFirst())
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) { stream.writeLine(String(line)) }
    }

    /// Ends the process with what there is to say about `words`: help, a version, or an error.
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
    /// This message of ArgumentParser without what it says of the values there are, and without a full stop.
    fileprivate var firstSentences: Substring {
        let text = firstMatch(of: /(.+?>')(?:\. Please provide|: )/)?.output.1 ?? self[...]
        return text.last == "." ? text.dropLast() : text
    }
}
