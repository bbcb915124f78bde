/// A word of a command line as a shell hands it to a completion: as it was typed, with its quotes and backslashes.
struct ShellWord {
    let typed: String

    /// The text without its quotes and backslashes. A quote may still be open: the word is being typed.
    var unquoted: String {
        var (text, quote): (String, Character?) = ("", nil)
        var rest = Substring(typed)
        while let character = rest.popFirst() {
            switch (character, quote) {
            case ("'", "'"), ("\"", "\""): quote = nil
            case ("'", nil), ("\"", nil): quote = character
            case ("\\", nil), ("\\", "\""): if let next = rest.popFirst() { text.append(next) }
            default: text.append(character)
            }
        }
        return text
    }
}
