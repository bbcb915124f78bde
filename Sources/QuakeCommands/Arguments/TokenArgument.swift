import QuakeStore

/// A token on the command line: a printed token, `now`, or `beginning`.
enum TokenArgument {
    /// Returns the token for `text`. Throws a ``CommandError`` for any other text.
    ///
    /// `beginning` is the position before the first transaction. Like any old token, it expires when history is purged.
    static func resolve(_ text: String, in context: QuakeContext) throws -> HistoryToken {
        switch text.lowercased() {
        case "now": return try context.history.currentToken()
        case "beginning": return HistoryToken(storeID: try context.history.storeID(), number: .zero, fingerprint: 0)
        default:
            guard let token = HistoryToken(text) else { throw malformed(text) }
            return token
        }
    }

    static func malformed(_ text: String) -> CommandError {
        CommandError(
            "\"\(text.count > 60 ? text.prefix(60) + "…" : text)\" is not a token.",
            "Use a token printed by `quakes changes` or `quakes token`, or the word `beginning` or `now`.", .usage)
    }

    static func unusable(_ fault: TokenFault) -> CommandError { CommandError(StoreError.token(fault)) }
}
