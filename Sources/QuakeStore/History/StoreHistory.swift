/// The history of a cache as one context sees it: every change to every quake, grouped into transactions.
///
/// In a pinned context, the history ends at the pinned generation. The list of consumers is always current.
public struct StoreHistory {
    let context: QuakeContext
}

extension QuakeContext {
    /// The history: transactions, changes, tokens, and consumers.
    public var history: StoreHistory { StoreHistory(context: self) }
}

extension StoreHistory {
    /// Fetches `quakes` again if anything changed after `token`, no matter who changed it. For a list that updates
    /// itself, see ``QuakeCache/quakes(matching:where:every:)``.
    ///
    /// - Parameters:
    ///   - token: the head of the history when the quakes were fetched.
    ///   - quakes: the list to update in place.
    ///   - descriptor: the descriptor with which the quakes were fetched.
    /// - Returns: the token for the next call.
    @discardableResult
    public func merge(
        after token: HistoryToken, into quakes: inout [StoredQuake], fetchedBy descriptor: QuakeDescriptor
    ) throws -> HistoryToken {
        try context.snapshot {
            let head = try head()
            if head != token || descriptor.includesPending { quakes = try context.fetch(descriptor) }
            return head
        }
    }
}
