import QuakeModel

/// A message about the command line.
enum UsageMessage {
    /// Returns the message `text` with changes to the `arguments` that it quotes: line breaks are replaced, so that no
    /// argument can imitate a line of this program, and URLs are shortened.
    static func sanitized(_ text: String, arguments: some Sequence<String>) -> String {
        arguments.reduce(text) { text, argument in
            // For `--option=value`, the message may quote the value alone.
            let value = argument.firstIndex(of: "=").map { String(argument[argument.index(after: $0)...]) }
            return [argument, value ?? ""].reduce(text) { text, part in
                let isAddress = WebAddress.mayHoldSecret(part)
                let shown = TerminalText.sanitized(isAddress ? WebAddress.shortened(part) : part)
                return isAddress || part.contains("\n") ? text.replacing(part, with: shown) : text
            }
        }
    }

    /// Writes `text`, a message about the command line of this process, to `stream`.
    static func write(_ text: String, on stream: StandardStream) {
        let text = sanitized(text, arguments: CommandLine.arguments.dropFirst())
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) { stream.writeLine(String(line)) }
    }
}
