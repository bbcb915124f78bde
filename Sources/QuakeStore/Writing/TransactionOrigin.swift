/// The details that a transaction records besides its author.
public struct TransactionOrigin: Sendable {
    /// The purpose of the transaction, such as the name of a feed or the description of a purge; nil if none was given.
    public var purpose: String?
    /// The snapshot from which the values came; nil if they came from elsewhere.
    public var provenance: HistoryTransaction.Provenance?
    /// The transaction that this one undoes.
    var undoes: TransactionNumber?

    public init(purpose: String? = nil, provenance: HistoryTransaction.Provenance? = nil) {
        self.purpose = purpose
        self.provenance = provenance
    }
}

extension TransactionOrigin {
    static func undo(of number: TransactionNumber) -> Self {
        var origin = Self(purpose: "undo of \(number)")
        origin.undoes = number
        return origin
    }
}
