/// The outcome of a transaction.
public struct WriteOutcome<Result> {
    /// The value that the transaction's body returned.
    public var result: Result
    /// The transaction's entry in the history; nil if no quake was changed, except by an undo, and in a dry run.
    public var transaction: HistoryTransaction?
}

extension WriteOutcome: Sendable where Result: Sendable {}

extension WriteOutcome<Int> {
    /// The number of quakes changed, which is the ``result`` of a purge.
    public var count: Int { result }
}
