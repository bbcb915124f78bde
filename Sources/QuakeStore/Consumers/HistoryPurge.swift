/// The result of purging history.
public struct HistoryPurge: Hashable, Sendable {
    public var transactions: Int
    public var changes: Int
    /// The last purged transaction.
    public var floor: TransactionNumber
}
