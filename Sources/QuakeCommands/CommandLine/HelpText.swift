/// The help of a command, as rearranged from the text of ArgumentParser.
enum HelpText {
    /// Returns the help as printed: ``ordered(_:)``, without `(default as flag: …)`, which ArgumentParser adds to an
    /// option whose value may be omitted. The option's own text says what an omitted value means.
    static func printed(_ text: String) -> String {
        ordered(text).replacing(/\s+\(default\s+as\s+flag:\s+\w+\)/, with: "")
    }

    /// Moves the command's own options, which ArgumentParser puts last, before the filters and the global options.
    /// Removes line breaks at the end.
    static func ordered(_ text: String) -> String {
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
