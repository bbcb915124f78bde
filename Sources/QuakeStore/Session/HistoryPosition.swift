/// A position in the history: after one transaction, or at a time of publication.
struct HistoryPosition {
    var token: HistoryToken
    /// The state to which quakes are rewound; nil if the position is simply the end of one transaction.
    var publishedState: PublishedState?
    /// The last time of publication that the position contains; nil for a position by transaction.
    var published: Timestamp?
}

extension HistoryPosition {
    /// The condition for the rows of `transactions` that the position does not contain.
    var excludesTransaction: String {
        publishedState.map { "number IN (\($0.laterTransactions))" } ?? "number > \(token.number)"
    }

    /// The last transaction up to which the position contains every transaction. A published position may also contain
    /// some later ones.
    var lastCommon: TransactionNumber { publishedState?.firstLater.previous ?? token.number }
}
