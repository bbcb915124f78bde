/// The position after which a response to a reader begins.
struct ResponseStart {
    /// The last transaction that the reader has seen.
    var number: TransactionNumber
    /// The published state that the reader has seen; nil if the reader has seen every transaction up to ``number``.
    var publishedState: PublishedState?

    /// The number up to which the reader has seen every transaction.
    var lastCommon: TransactionNumber { publishedState?.firstLater.previous ?? number }
}
