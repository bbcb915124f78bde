/// The history of a cache as one context sees it: every change of every quake, in transactions.
///
/// In a pinned context the history ends at its generation. Consumers have no history: they are those of the present.
public struct StoreHistory {
    let context: QuakeContext
}

extension QuakeContext {
    /// The history: transactions, changes, tokens, and who reads them.
    public var history: StoreHistory { StoreHistory(context: self) }
}
