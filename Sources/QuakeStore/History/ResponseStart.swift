/// The position after which a response to a reader begins.
struct ResponseStart {
    /// The last transaction that the reader has seen.
    var number: TransactionNumber
    /// The published state that the reader has seen; nil if it has seen whole transactions.
    var publishedState: PublishedState?

    /// The last transaction before the first that the reader has not seen.
    var lastCommon: TransactionNumber { publishedState?.firstLater.previous ?? number }
}
