/// The result of trimming the history.
public struct HistoryTrim: Hashable, Sendable {
    public var transactions: Int
    public var changes: Int
    /// The last transaction removed by this or an earlier trim; 0 if there is none.
    public var trimmedThrough: TransactionNumber
}
