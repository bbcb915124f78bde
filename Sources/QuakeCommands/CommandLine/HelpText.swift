/// The help of a command, as ArgumentParser writes it.
enum HelpText {
    /// Moves the section of the command's own options, which comes last, before the filters and the global options.
    /// Removes line breaks at the end, and the parser's own words for the value of an option without a value, which the
    /// help of the option states.
    static func ordered(_ text: String) -> String {
        let text = text.replacing(/\s+\(default\s+as\s+flag:\s+\w+\)/, with: "")
        let end = text.lastIndex { $0 != "\n" } ?? text.startIndex
        var sections = text[...end].split(separator: "\n\n", omittingEmptySubsequences: false)
        guard let usage = sections.firstIndex(where: { $0.hasPrefix("USAGE:") }),
            let options = sections.lastIndex(where: { $0.hasPrefix("OPTIONS:\n") })
        else { return text }
        let own = sections.remove(at: options)
        let hasArguments = sections.dropFirst(usage + 1).first?.hasPrefix("ARGUMENTS:") == true
        sections.insert(own, at: usage + (hasArguments ? 2 : 1))
        return sections.joined(separator: "\n\n")
    }
}
