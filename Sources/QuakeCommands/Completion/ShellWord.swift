/// A word of a command line as a shell hands it to a completion: as it was typed, with its quotes and backslashes.
struct ShellWord {
    let typed: String

    /// The text without its quotes and backslashes. A quote may still be open: the word is being typed.
    var unquoted: String { text { nil } ?? "" }

    /// What the shell would pass to the program; nil if only the shell can tell, as with `$(…)`.
    ///
    /// - Parameters:
    ///   - variables: the values of variables by name; those that are missing are empty.
    ///   - home: what `~` stands for.
    func expanded(variables: [String: String], home: String) -> String? {
        let isInHome = typed == "~" || typed.hasPrefix("~/")
        let rest = ShellWord(typed: isInHome ? String(typed.dropFirst()) : typed)
        return rest.text { variables }.map { isInHome ? home + $0 : $0 }
    }

    /// The text without quotes and backslashes, with the values of `variables`, if any; nil if it holds a command.
    private func text(variables: () -> [String: String]?) -> String? {
        let values = variables()
        var (text, quote): (String, Character?) = ("", nil)
        var rest = Substring(typed)
        while let character = rest.popFirst() {
            switch (character, quote) {
            case ("'", "'"), ("\"", "\""): quote = nil
            case ("'", nil), ("\"", nil): quote = character
            case ("\\", nil): if let next = rest.popFirst() { text.append(next) }
            case ("\\", "\""):
                let isEscape = rest.first.map { "$`\"\\".contains($0) } ?? false
                text.append(isEscape ? rest.removeFirst() : character)
            case ("`", nil) where values != nil, ("`", "\"") where values != nil: return nil
            case ("$", nil), ("$", "\""):
                guard let values else { fallthrough }
                guard let value = ShellWord.value(&rest, values) else { return nil }
                text += value
            default: text.append(character)
            }
        }
        return text
    }

    /// The value of the variable whose name, plain or in braces, stands at the start of `rest`; nil for anything else.
    private static func value(_ rest: inout Substring, _ values: [String: String]) -> String? {
        let isBraced = rest.first == "{"
        let start = rest.dropFirst(isBraced ? 1 : 0)
        let name = start.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        let after = start[name.endIndex...]
        guard !name.isEmpty, !isBraced || after.first == "}" else { return nil }
        rest = after.dropFirst(isBraced ? 1 : 0)
        return values[String(name)] ?? ""
    }
}
