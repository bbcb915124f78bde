import QuakeModel

/// A message about the command line.
enum UsageMessage {
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
}
