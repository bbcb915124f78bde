extension String {
    /// A word being typed in a shell, without its quotes and backslashes. The last quote may still be open.
    var unquoted: String {
        var (text, quote): (String, Character?) = ("", nil)
        var rest = self[...]
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
