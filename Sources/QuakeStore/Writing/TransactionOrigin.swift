/// The details that a transaction records besides its author.
public struct TransactionOrigin: Sendable {
    /// The purpose of the transaction, such as the name of a feed or the description of a purge; nil if none was given.
    public var purpose: String?
    /// The snapshot from which the values came; nil if they came from elsewhere.
    public var provenance: HistoryTransaction.Provenance?
    /// The transaction that this one undoes; nil for none.
    var undoes: TransactionNumber?

    public init(purpose: String? = nil, provenance: HistoryTransaction.Provenance? = nil) {
        self.purpose = purpose
        self.provenance = provenance
    }
}

extension TransactionOrigin {
    /// Throws ``StoreError/unstorableText(of:reason:)`` if a transaction of `session` could not record its author,
    /// program or origin.
    func requireStorable(in session: StoreSession) throws {
        try StoredText.requireName(session.author, of: "author")
        try StoredText.requireName(session.configuration.program, of: "program's name")
        try StoredText.requireText(purpose ?? session.name, of: "transaction's purpose")
        try StoredText.requireText(provenance?.url, of: "document's URL")
        try StoredText.requireText(provenance?.etag, of: "document's ETag")
    }

    static func undo(of number: TransactionNumber) -> Self {
        var origin = Self(purpose: "undo of \(number)")
        origin.undoes = number
        return origin
    }
}
