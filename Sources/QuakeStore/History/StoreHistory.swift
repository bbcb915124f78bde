/// The history of a cache as one context sees it: every change to every quake, grouped into transactions.
///
/// In a pinned context, the history ends at the pinned generation. Consumers have no history and are always current.
public struct StoreHistory {
    let context: QuakeContext
}

extension QuakeContext {
    /// The history: transactions, changes, tokens, and consumers.
    public var history: StoreHistory { StoreHistory(context: self) }
}

extension StoreHistory {
    /// Brings quakes that `descriptor` fetched up to date with everything after `token`, whoever changed it: fetches them
    /// again if anything did. ``QuakeCache/quakes(matching:where:every:)`` does so by itself.
    ///
    /// - Parameters:
    ///   - token: the head of the history when the quakes were fetched.
    ///   - quakes: the list, which is changed in place.
    ///   - descriptor: what fetched it.
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
