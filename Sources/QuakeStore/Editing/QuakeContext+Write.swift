/// The details that a transaction records besides its author.
public struct TransactionOrigin: Sendable {
    /// The purpose of the transaction, such as the name of a feed or the description of a purge; nil if none was given.
    public var purpose: String?
    /// The snapshot from which the values came; nil if they came from elsewhere.
    public var provenance: HistoryTransaction.Provenance?
    /// The transaction that this one undoes.
    var undoes: TransactionNumber?

    public init(purpose: String? = nil, provenance: HistoryTransaction.Provenance? = nil) {
        (self.purpose, self.provenance) = (purpose, provenance)
    }
}

/// The outcome of a transaction.
public struct WriteOutcome<Result> {
    /// The value that the transaction's body returned.
    public var result: Result
    /// The transaction's entry in the history; nil if no quake was changed, except by an undo.
    public var transaction: HistoryTransaction?
}

extension WriteOutcome: Sendable where Result: Sendable {}

extension WriteOutcome<Int> {
    /// The number of quakes changed.
    public var count: Int { result }
}

extension QuakeContext {
    /// Runs `body` as one transaction: either all its writes are committed, with one entry in the history, or none.
    ///
    /// A body that changes no quake leaves no entry, except by an undo. Nothing is committed if the body throws or one
    /// of its writes failed. The writer is valid only inside the body.
    ///
    /// - Parameters:
    ///   - origin: the details that the transaction records besides its author.
    ///   - dryRun: whether to roll the transaction back once its effects are known.
    ///   - body: a closure that writes through the writer passed to it.
    /// - Returns: the result of `body`, and the history entry, if any (in a dry run, the entry that would be added).
    /// - Throws: ``StoreError/unstorableText(of:reason:)`` for an author or origin that cannot be recorded,
    ///   ``StoreError/contextState(_:)`` inside another transaction of this context, and the error of `body` or of a
    ///   failed write that it caught.
    @discardableResult
    package func write<Result>(
        _ origin: TransactionOrigin = TransactionOrigin(), dryRun: Bool = false,
        _ body: (QuakeWriter) throws -> Result
    ) throws -> WriteOutcome<Result> {
        let (result, entry, saved) = try asOnlyTransaction {
            try inTransaction(.writing, keep: { _ in !dryRun }) {
                let writer = try QuakeWriter(context: self, origin: origin)
                self.writer = writer
                defer {
                    self.writer = nil
                    writer.close()
                }
                let result = try body(writer)
                let entry = try writer.finish()
                if let entry { ownTransactions.add(entry.token, floor: try history.floor().number) }
                return (result, entry, dryRun ? nil : try edits.savedChanges(of: entry))
            }
        }
        if let entry, !dryRun {
            undoStack.record(entry)
            if depth == 0 { try advance() }
        }
        if let saved { broadcast.didSave.send(saved) }
        return WriteOutcome(result: result, transaction: entry)
    }
}
