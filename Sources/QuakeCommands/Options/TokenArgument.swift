import QuakeModel
import QuakeStore

/// A token as it is typed: one that was printed, or `now`, or `beginning`.
enum TokenArgument {
    /// The token meant. Throws ``CommandError/malformedToken(_:)`` for any other text.
    ///
    /// `beginning` lies before the first transaction: once history was purged it is expired like any other old token.
    static func resolve(_ text: String, in context: QuakeContext) throws -> HistoryToken {
        switch text {
        case "now": return try context.head()
        case "beginning": return HistoryToken(storeID: try context.storeID(), number: 0, fingerprint: 0)
        default:
            guard let token = HistoryToken(text) else { throw CommandError.malformedToken(text) }
            return token
        }
    }
}
