/// The outcome of a transaction.
public struct WriteOutcome<Result> {
    /// The value that the transaction's body returned.
    public var result: Result
    /// The transaction's entry in the history; nil in a dry run, or if the transaction changed no quake and was not an
    /// undo.
    public var transaction: HistoryTransaction?
}

extension WriteOutcome: Sendable where Result: Sendable {}

extension WriteOutcome<Int> {
    /// The number of deleted quakes, which is the ``result`` of a purge.
    public var count: Int { result }
}
