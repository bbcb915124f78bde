/// What a transaction records about itself beside its author.
public struct TransactionOrigin: Sendable {
    /// What the transaction is for: the name of a feed, the words of a purge.
    public var context: String?
    /// Where the values came from, when they came from a snapshot.
    public var provenance: HistoryTransaction.Provenance?
    /// The transaction that this one undoes.
    var undoes: TransactionNumber?

    public init(context: String? = nil, provenance: HistoryTransaction.Provenance? = nil) {
        (self.context, self.provenance) = (context, provenance)
    }
}

/// What a transaction gave back.
public struct WriteOutcome<Result> {
    /// What its body returned.
    public var result: Result
    /// Its entry in the history; nil when no quake was changed.
    public var transaction: HistoryTransaction?

    public init(result: Result, transaction: HistoryTransaction?) {
        (self.result, self.transaction) = (result, transaction)
    }
}

extension WriteOutcome: Sendable where Result: Sendable {}
extension WriteOutcome: Equatable where Result: Equatable {}
extension WriteOutcome: Hashable where Result: Hashable {}
extension WriteOutcome: Encodable where Result: Encodable {}
extension WriteOutcome: Decodable where Result: Decodable {}

extension WriteOutcome<Int> {
    /// How many quakes were changed.
    public var count: Int { result }
}

extension QuakeContext {
    /// Runs `body` as one transaction: everything it writes is kept together, with one entry in the history, or
    /// nothing.
    ///
    /// A body that changes no quake leaves no entry. One that throws, or in which a write failed, leaves nothing. The
    /// writer is valid only inside.
    ///
    /// - Parameters:
    ///   - origin: what the transaction records about itself beside its author.
    ///   - dryRun: do everything but keep nothing, to learn what would happen.
    ///   - body: writes through the writer that it is given.
    /// - Returns: what `body` returned, and the entry, if one was made (or would have been).
    /// - Throws: ``StoreError/unstorableText(of:reason:)`` for an author or an origin that cannot be recorded,
    ///   ``StoreError/contextState(_:)`` inside another transaction of this context, and the error of `body` or of a
    ///   write that it caught.
    @discardableResult
    public func write<Result>(
        _ origin: TransactionOrigin = TransactionOrigin(), dryRun: Bool = false,
        _ body: (QuakeWriter) throws -> Result
    ) throws -> WriteOutcome<Result> {
        let (result, entry, saved) = try asOnlyWriter {
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
